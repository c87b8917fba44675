"""The instrument is right before anything is measured with it: jumps made by hand, at known samples."""

import unittest

import numpy as np

import audible
from audible import RATE


def jump(old, new, gap: float = 0.0, after: float = 0.010, noise: float = 0.0):
    """2 s of `old` = (track, position at 1 s) and, from 1 s + `after` on, silence for `gap`, then `new`."""
    border = int((1 + after) * RATE)
    silence = int(gap * RATE)
    sound = audible.span(old[0], old[1] - 1, 1 + after)[:border]
    sound = np.concatenate([sound, np.zeros(silence, np.float32), audible.span(new[0], new[1], 2.0)])
    return sound + noise * np.random.default_rng(1).standard_normal(len(sound)).astype(np.float32)


class ChangeTests(unittest.TestCase):
    def heard(self, old, new, **options):
        return audible.change(jump(old, new, **options), 100.0, 101.0, old, new)

    def test_a_seek_is_dated_and_placed_to_a_tenth_of_a_millisecond(self):
        for after in (0.0031, 0.010, 0.0777):
            found = self.heard((0, 20.0), (0, 300.25), after=after)
            self.assertAlmostEqual(found.latency, after, delta=0.0001)
            self.assertAlmostEqual(found.error, 0.0, delta=0.0001)
            self.assertLess(found.gap, 0.0002)

    def test_noise_of_a_codec_changes_little(self):
        found = self.heard((0, 20.0), (0, 300.25), noise=0.05)
        self.assertAlmostEqual(found.latency, 0.010, delta=0.0002)
        self.assertAlmostEqual(found.error, 0.0, delta=0.0002)

    def test_a_cross_fade_lands_where_it_begins_and_sounds_from_its_middle_on(self):
        for milliseconds in (6, 10, 20):
            length, border = milliseconds * RATE // 1000, int(1.01 * RATE)
            old, new = audible.span(0, 19.0, 1.5), audible.span(0, 300.25, 2.0)
            ramp = np.linspace(0, 1, length)
            fade = (1 - ramp) * old[border:border + length] + ramp * new[:length]
            sound = np.concatenate([old[:border], fade, new[length:]]).astype(np.float32)
            found = audible.change(sound, 100.0, 101.0, (0, 20.0), (0, 300.25))
            self.assertAlmostEqual(found.error, 0.0, delta=0.001)
            self.assertAlmostEqual(found.latency, 0.010 + milliseconds / 2000, delta=0.0015)

    def test_loudness_does_not_matter(self):
        quiet = 0.1 * jump((0, 20.0), (0, 300.25), gap=0.02)
        found = audible.change(quiet, 100.0, 101.0, (0, 20.0), (0, 300.25))
        self.assertAlmostEqual(found.latency, 0.030, delta=0.0001)
        self.assertAlmostEqual(found.gap, 0.020, delta=0.0002)

    def test_silence_between_old_and_new_is_measured(self):
        for gap in (0.005, 0.030, 0.4):
            found = self.heard((0, 20.0), (0, 300.25), gap=gap)
            self.assertAlmostEqual(found.gap, gap, delta=0.0002)
            self.assertAlmostEqual(found.latency, 0.010 + gap, delta=0.0001)

    def test_a_switch_that_keeps_film_time_has_no_slip(self):
        found = audible.change(jump((0, 20.0), (1, 20.010)), 100.0, 101.0, (0, 20.0), (1, 20.0))
        self.assertAlmostEqual(found.slip, 0.0, delta=0.0001)

    def test_a_switch_that_loses_film_time_slips(self):
        found = audible.change(jump((0, 20.0), (1, 19.810)), 100.0, 101.0, (0, 20.0), (1, 20.0))
        self.assertAlmostEqual(found.slip, -0.2, delta=0.0001)

    def test_a_jump_to_the_wrong_place_has_that_error(self):
        found = audible.change(jump((0, 20.0), (0, 300.275)), 100.0, 101.0, (0, 20.0), (0, 300.25))
        self.assertAlmostEqual(found.error, 0.025, delta=0.0001)

    def test_what_cannot_be_heard_is_not_a_number(self):
        silence = audible.change(np.zeros(3 * RATE, np.float32), 100.0, 101.0, (0, 20.0), (0, 300.0))
        self.assertNotEqual(silence.latency, silence.latency)
        short = audible.change(np.zeros(RATE // 2, np.float32), 100.0, 101.0, (0, 20.0), (0, 300.0))
        self.assertNotEqual(short.latency, short.latency)


class LocateTests(unittest.TestCase):
    def test_a_tenth_of_a_second_is_found_to_the_sample(self):
        position, peak = audible.locate(audible.span(1, 123.4567, 0.1), 1, 124.0)
        self.assertAlmostEqual(position, 123.4567, delta=1.1 / RATE)
        self.assertGreater(peak, 0.99)

    def test_another_track_is_not_found(self):
        _, peak = audible.locate(audible.span(1, 123.4567, 0.1), 0, 124.0)
        self.assertLess(peak, 0.3)


if __name__ == "__main__":
    unittest.main()
