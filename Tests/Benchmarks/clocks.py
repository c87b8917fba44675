"""A remote on another machine, as far as one can play one: its clock is 5 s off, and 100 ms of jitter lie between.

What `allspeak-remote watch --json` prints is compared, when the line comes, with what is heard at that moment.
"""

from __future__ import annotations

import glob
import json
import os
import subprocess
import threading
import time

import audible
import delaying
import players

SETTLING = 10.0  # seconds for the first exchanges of clocks
UNDER_WAY = 0.2  # seconds that a change may be on its way to the remote, or to be heard


def faketime() -> str:
    """libfaketime's path."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not found:
        raise players.Unavailable("faketime is not installed")
    return found[0]


class Watcher:
    """A watching remote; `lines` are (moment, what it printed)."""

    def __init__(self, address, folder: str):
        remote = os.path.join(os.environ.get("ALLSPEAK_BIN", ".build/release"), "allspeak-remote")
        environment = os.environ | {"HOME": folder, "LD_PRELOAD": faketime(), "FAKETIME": "+5s"}
        for name in ["XDG_CACHE_HOME", "XDG_STATE_HOME", "FAKETIME_SHARED"]:
            environment.pop(name, None)
        # By `env`: the library adds to the environment of the first program it is loaded into, and Swift's runtime does not
        # find a program's arguments where that has moved.
        self.process = subprocess.Popen(["env", remote, "--host", "%s:%d" % address, "watch", "--json"],
                                        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment)
        self.lines: list[tuple[float, bytes]] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line))

    def close(self):
        self.process.terminate()
        self.process.wait()
        self._thread.join(timeout=2)
        # What the library leaves behind in shared memory.
        for name in ["faketime_shm_", "sem.faketime_sem_"]:
            try:
                os.unlink(f"/dev/shm/{name}{self.process.pid}")
            except FileNotFoundError:
                pass


def shown_minus_audible(files, seconds: float):
    """Errors in ms of the position shown, in `seconds` before a seek, between it and a pause, and after that."""
    faketime()
    # A line every tenth of a second.
    host = players.Allspeak(files, cues=5900)
    proxy = delaying.Proxy(host.address)
    recorder = watcher = None
    try:
        recorder = audible.Recorder()
        watcher = Watcher(proxy.address, host.folder)
        host.seek(20.0)
        host.play()
        time.sleep(SETTLING)
        start, changes = time.monotonic(), []

        def change(action, *arguments):
            changes.append(time.monotonic())
            action(*arguments)
        time.sleep(seconds)
        change(host.seek, 300.0)
        time.sleep(seconds)
        change(host.pause)
        time.sleep(1)
        change(host.play)
        time.sleep(seconds)
    finally:
        if watcher:
            watcher.close()
        if recorder:
            data, origin = recorder.close()
        proxy.close()
        host.close()
    errors = []
    for at, line in watcher.lines:
        state = json.loads(line)
        snippet = data[int((at - origin) * audible.RATE):][:audible.RATE // 20]
        if (at < start or not state.get("isPlaying") or len(snippet) < audible.RATE // 20
                or any(-0.1 < at - moment < UNDER_WAY for moment in changes)):
            continue
        heard, peak = audible.locate(snippet, 0, state["currentTime"], 0.3)
        errors.append((state["currentTime"] - heard) * 1e3 if peak > 0.6 else float("nan"))
    return errors
