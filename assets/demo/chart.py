# The tide of one day as a picture: with matplotlib where it is installed, else drawn and encoded here in plain Python.
import io
import struct
import zlib

from tides import ROAD, crossings, height

INK, FAINT, SEA, DEEP, OPEN, ROAD_INK = "#2b2b28", "#e4e4df", "#dff0ee", "#0b6e69", "#fbeecd", "#8a5a00"
TITLE = "WATER AT THE CAUSEWAY, METRES"


def with_matplotlib():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    hours = [minute / 60 for minute in range(24 * 60 + 1)]
    axes = Figure(figsize=(9.6, 4.8), layout="constrained").subplots()
    for start, end in crossings():
        axes.axvspan(start / 60, end / 60, color=OPEN, lw=0)
    axes.fill_between(hours, [height(h) for h in hours], color=SEA)
    axes.plot(hours, [height(h) for h in hours], color=DEEP, lw=2.5)
    axes.axhline(ROAD, color=ROAD_INK, lw=1.5, ls="--")
    axes.set(title=TITLE.capitalize(), xlim=(0, 24), ylim=(0, 5.5), xticks=range(0, 25, 3))
    axes.spines[["top", "right"]].set_visible(False)
    out = io.BytesIO()
    axes.figure.savefig(out, format="png", dpi=100)
    return out.getvalue()


# A letter is five columns of seven dots, the lowest bit on top.
FONT = dict(zip("0123456789ACDEHMORSTUWY,:", [bytes.fromhex(h) for h in (
    "3e5149453e 00427f4000 4261514946 2241494936 1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e "
    "7e1111117e 3e41414122 7f4141413e 7f49494941 7f0808087f 7f0204027f 3e4141413e 7f09192946 2649494932 01017f0101 "
    "3f4040403f 7f2010207f 0304780403 0050300000 0036360000").split()]))


def rgb(color):
    return bytes.fromhex(color[1:])


class Canvas:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [bytearray(b"\xff" * 3 * width) for _ in range(height)]

    def dot(self, x, y, color, share=1.0):
        if 0 <= x < self.width and 0 <= y < self.height:
            row, at = self.rows[y], 3 * x
            for part, value in enumerate(color):
                row[at + part] += round((value - row[at + part]) * share)

    def box(self, x, y, width, height, color):
        left, right = max(0, x), min(self.width, x + width)
        for row in self.rows[max(0, y):y + height]:
            row[3 * left:3 * right] = rgb(color) * (right - left)

    def text(self, x, y, words, color, size=2):
        for letter in words:
            for column, bits in enumerate(FONT.get(letter, b"")):
                for line in range(7):
                    if bits >> line & 1:
                        self.box(x + column * size, y + line * size, size, size, color)
            x += 6 * size

    def png(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in self.rows))
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def by_hand(left=64, right=912, top=64, bottom=424, highest=5.5):
    canvas = Canvas(960, 480)

    def x_of(hour):
        return left + (right - left) * hour / 24

    def y_of(metres):
        return bottom - (bottom - top) * metres / highest

    for start, end in crossings():
        canvas.box(round(x_of(start / 60)), top, round(x_of(end / 60) - x_of(start / 60)), bottom - top, OPEN)
    curve = [y_of(height(24 * (x - left) / (right - left))) for x in range(left, right + 1)]
    for x, y in enumerate(curve, left):
        canvas.box(x, round(y), 1, bottom - round(y), SEA)
    for metres in range(6):
        canvas.box(left, round(y_of(metres)), right - left, 1, FAINT)
        canvas.text(left - 28, round(y_of(metres)) - 7, str(metres), INK)
    for hour in range(0, 25, 3):
        canvas.box(round(x_of(hour)), bottom, 1, 7, INK)
        canvas.text(round(x_of(hour)) - 28, bottom + 16, "%02d:00" % hour, INK)
    for x in range(left, right, 14):
        canvas.box(x, round(y_of(ROAD)), 8, 2, ROAD_INK)
    canvas.text(right - 48, round(y_of(ROAD)) - 20, "ROAD", ROAD_INK)
    for x, y in enumerate(curve, left):  # steep parts are taller, so that the line is equally wide everywhere
        near = curve[max(0, x - left - 1):x - left + 2]
        half = 1.4 * (1 + ((max(near) - min(near)) / 2) ** 2) ** 0.5
        for row in range(int(y - half) - 1, int(y + half) + 2):
            canvas.dot(x, row, rgb(DEEP), max(0.0, min(1.0, half + 0.5 - abs(row - y))))
    canvas.box(left, bottom, right - left + 1, 1, INK)
    canvas.text(left, 24, TITLE, INK)
    return canvas.png()


try:
    picture = with_matplotlib()
except ImportError:
    picture = by_hand()
try:
    with open("chart.png", "wb") as file:
        file.write(picture)
except OSError as error:
    print("The figure was not saved:", error)
display(picture)  # noqa: F821 (the sandbox's own)
