"""When does the tide leave the causeway dry?"""

from math import cos, pi

ROAD = 2.4  # height of the road in metres
MARGIN = 0.0  # metres that a walker wants between road and water


def height(hour):
    """Height of the water in metres, `hour` hours after midnight: the moon's pull and the sun's."""
    return 2.6 + 2.1 * cos(2 * pi * (hour - 3.1) / 12.42) + 0.35 * cos(2 * pi * hour / 12)


def is_open(minute):
    return height(minute / 60) < ROAD - MARGIN


def crossings(step=5):
    """The spans of a day, in minutes after midnight, in which the road can be walked."""
    spans, start = [], None
    for minute in range(0, 24 * 60 + 1, step):
        if is_open(minute):
            start = minute if start is None else start
        elif start is not None:
            spans.append((start, minute - step))
            start = None
    return spans if start is None else spans + [(start, 24 * 60)]


def clock(minute):
    return "%02d:%02d" % divmod(minute, 60)


if __name__ == "__main__":
    for start, end in crossings():
        print("open from", clock(start), "to", clock(end))
