import unittest

import tides


class Crossings(unittest.TestCase):
    def test_the_road_opens_twice_a_day(self):
        self.assertEqual(len(tides.crossings()), 2)

    def test_the_road_is_dry_during_every_crossing(self):
        for start, end in tides.crossings():
            for minute in range(start, end + 1):
                self.assertLess(tides.height(minute / 60), tides.ROAD)

    def test_a_wider_margin_only_shortens_the_crossings(self):
        def minutes(margin):
            tides.MARGIN = margin
            return sum(end - start for start, end in tides.crossings())

        before = tides.MARGIN
        self.addCleanup(setattr, tides, "MARGIN", before)
        self.assertGreater(minutes(0.0), minutes(0.5))

    def test_the_clock_has_two_digits_each(self):
        self.assertEqual(tides.clock(65), "01:05")


if __name__ == "__main__":
    unittest.main()
