"""Audible truth: what position of a track is really coming out of the sound server?

A probe track is seeded noise: second `s` of track `k` is a noise block that only
(k, s) can produce, so a short recording of the sink's monitor tells the exact
position that is playing, to about a tenth of a millisecond, and when it changed.

Needs numpy, ffmpeg, parec and a PulseAudio (or PipeWire) sink to listen to.
"""

from __future__ import annotations

import subprocess
import threading
import time
from dataclasses import dataclass

import numpy as np

RATE = 48_000
LOW_HZ, HIGH_HZ = 300.0, 6_000.0


def second(track: int, index: int) -> np.ndarray:
    """One second of the probe: float32, RATE samples, about -14 dBFS RMS."""
    noise = np.random.default_rng((track << 32) + index).standard_normal(RATE)
    spectrum = np.fft.rfft(noise)
    hz = np.fft.rfftfreq(RATE, 1 / RATE)
    spectrum[(hz < LOW_HZ) | (hz > HIGH_HZ)] = 0
    block = np.fft.irfft(spectrum, RATE)
    return (0.2 * block / np.std(block)).clip(-1, 1).astype(np.float32)


def span(track: int, start: float, length: float) -> np.ndarray:
    """The probe from `start` for `length` seconds; silence before 0."""
    first, last = int(np.floor(start)), int(np.floor(start + length))
    blocks = [second(track, i) if i >= 0 else np.zeros(RATE, np.float32) for i in range(first, last + 1)]
    offset = int(round((start - first) * RATE))
    return np.concatenate(blocks)[offset:offset + int(round(length * RATE))]


def write_m4a(path: str, seconds: int, track: int = 0, codec=("-c:a", "aac", "-aac_pns", "0", "-b:a", "160k")) -> None:
    """Encode `seconds` of the probe; the container follows the path's extension."""
    encoder = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "-", *codec,
         "-movflags", "+faststart", path], stdin=subprocess.PIPE)
    for index in range(seconds):
        encoder.stdin.write(second(track, index).tobytes())
    encoder.stdin.close()
    if encoder.wait():
        raise RuntimeError(f"ffmpeg could not write {path}")


class Recorder:
    """Records a monitor source; `samples()` returns (float32 mono, monotonic time of sample 0)."""

    def __init__(self, source: str = "cinema.monitor", latency_ms: int = 5):
        self._process = subprocess.Popen(
            ["parec", f"--device={source}", "--format=s16le", f"--rate={RATE}", "--channels=1",
             f"--latency-msec={latency_ms}", "--process-time-msec=2", "--raw"], stdout=subprocess.PIPE, bufsize=0)
        self._chunks: list[bytes] = []
        self._origin = float("inf")
        self._count = 0
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def _pump(self) -> None:
        # The server renders a block at the moment its first sample is due, so a block's
        # arrival dates its first sample; large reads keep blocks whole.
        while chunk := self._process.stdout.read(1 << 17):
            self._origin = min(self._origin, time.monotonic() - self._count / RATE)
            self._count += len(chunk) // 2
            self._chunks.append(chunk)

    def samples(self):
        data = b"".join(self._chunks)
        return np.frombuffer(data[:len(data) // 2 * 2], np.int16).astype(np.float32) / 32768, self._origin

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._thread.join(timeout=2)
        return self.samples()


def locate(snippet: np.ndarray, track: int, around: float, reach: float = 3.0):
    """(position in seconds of snippet[0], normalised peak 0..1) searched within around ± reach."""
    start = around - reach
    reference = span(track, start, 2 * reach + len(snippet) / RATE)
    size = 1 << (len(reference) + len(snippet) - 1).bit_length()
    product = np.fft.irfft(np.fft.rfft(reference, size) * np.conj(np.fft.rfft(snippet, size)), size)
    valid = product[:len(reference) - len(snippet) + 1]
    energy = np.cumsum(np.concatenate([[0.0], reference.astype(np.float64) ** 2]))
    norm = np.sqrt((energy[len(snippet):] - energy[:-len(snippet)])[:len(valid)] * np.sum(snippet.astype(np.float64) ** 2))
    score = valid / np.maximum(norm, 1e-6)
    best = int(np.argmax(score))
    return start + best / RATE, float(score[best])


@dataclass
class Change:
    """How a jump sounded; times in seconds, NaN where it could not be heard."""

    latency: float  # from `sent` until the new position sounds (where it is faded in: at half its loudness)
    gap: float      # between the end of the old position and the start of the new, each at half its loudness
    landed: float   # position of the first new sample (where it is faded in: of the first in the fade)
    error: float    # landed - wanted
    peak: float     # correlation of the new position, 1 is perfect
    slip: float     # new minus old position, both extrapolated to `sent`: 0 when a switch keeps film time


# A jump is searched for around `sent`: the monitor may run a block ahead of the clock, and players take their time.
LEAD, REACH = 0.15, 1.2


def change(recording: np.ndarray, origin: float, sent: float, old, new) -> Change:
    """old = (track, position at `sent`), new = (track, wanted position)."""
    at = int((sent - origin) * RATE)
    before = recording[max(0, at - int(0.4 * RATE)):max(0, at - int(0.2 * RATE))]
    tail = recording[max(0, at) + int(REACH * RATE):max(0, at) + int((REACH + 0.2) * RATE)]
    nothing = Change(*[float("nan")] * 6)
    if not len(tail) or not len(before):
        return nothing
    position, nothing.peak = locate(tail, new[0], new[1] + 1.0)
    if nothing.peak < 0.5:
        return nothing
    new_origin = position - REACH         # new position that sounds at `sent` + 0, extrapolated
    old_origin = locate(before, old[0], old[1] - 0.4)[0] + 0.4

    around = recording[max(0, at - int(LEAD * RATE)):at + int(REACH * RATE)].astype(np.float64)
    length = len(around) / RATE
    old_sound = scaled(old[0], old_origin - LEAD, length, before, old_origin - 0.4)
    new_sound = scaled(new[0], new_origin - LEAD, length, tail, position)
    old_end, new_start = borders(around, old_sound, new_sound)
    landed = new_origin + fade_start(around, old_sound, new_sound, new_start) / RATE - LEAD
    return Change(new_start / RATE - LEAD, (new_start - old_end) / RATE, landed, landed - new[1], nothing.peak,
                  new_origin - old_origin)


def scaled(track: int, start: float, length: float, sample: np.ndarray, sample_position: float) -> np.ndarray:
    """The probe from `start`, as loud as `sample`, which is at `sample_position`, was recorded."""
    reference = span(track, sample_position, len(sample) / RATE)[:len(sample)]
    loudness = float(np.dot(sample, reference) / (np.dot(reference, reference) + 1e-9))
    return loudness * span(track, start, length)


def borders(sound: np.ndarray, old: np.ndarray, new: np.ndarray) -> tuple[int, int]:
    """Where `old` ends and `new` starts in `sound`, with silence between: the two samples that explain it best.

    With the squared errors of the three explanations summed up, every pair of borders is tried in one pass.
    """
    def total(error):
        return np.concatenate([[0.0], np.cumsum(error ** 2)])

    size = min(len(sound), len(old), len(new))
    sound = sound[:size]
    as_old, as_silence, as_new = total(sound - old[:size]), total(sound), total(sound - new[:size])
    ends = as_old - as_silence
    new_start = int(np.argmin(np.minimum.accumulate(ends) + as_silence - as_new))
    return int(np.argmin(ends[:new_start + 1])), new_start


def fade_start(sound: np.ndarray, old: np.ndarray, new: np.ndarray, middle: int) -> float:
    """The sample where the fade around `middle` begins; `middle` itself for a cut.

    In windows of 2 ms the sound is taken apart into so much of the old and so much of the new; a straight line through a
    quarter and three quarters of the new leads back to its first sample.
    """
    window, hop, reach = RATE // 500, 12, RATE // 25
    first = max(0, middle - reach)
    size = min(len(sound), len(old), len(new), middle + reach) - first
    y, u, v = (signal[first:first + size].astype(np.float64) for signal in (sound, old, new))

    def windowed(product):
        sums = np.concatenate([[0.0], np.cumsum(product)])
        return (sums[window:] - sums[:-window])[::hop]

    uu, vv, uv, yu, yv = (windowed(product) for product in (u * u, v * v, u * v, y * u, y * v))
    share = (yv * uu - yu * uv) / np.maximum(uu * vv - uv * uv, 0.05 * uu * vv + 1e-12)
    steady = 2 * window // hop
    loud = next((index for index in range(len(share) - steady)
                 if share[index] >= 0.75 and np.mean(share[index:index + steady]) >= 0.75), None)
    if loud is None:
        return middle
    quiet = next((index for index in range(loud, -1, -1) if share[index] < 0.25), None)
    if quiet is None or (loud - quiet) * hop < 0.8 * window:
        return middle
    return first + window / 2 + (quiet - (loud - quiet) / 2) * hop
