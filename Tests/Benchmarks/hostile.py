"""Attacks the host, one attack after the other, and prints what a well-behaved remote notices.

    Tests/Benchmarks/hostile                  every attack
    Tests/Benchmarks/hostile --quick silent   fewer seconds, one attack
    Tests/Benchmarks/hostile --json           one JSON object instead of the table

For each attack: the reply time of the good remote's commands before, during and after it (p50/p99, and the worst during it),
what a new remote needs from connecting to its first snapshot while the attack is on, the host's CPU, and what the attack has
left behind in the host a while later: descriptors, threads, resident memory. Attackers take CPU from the host, too: compare
attacks within one run. (What an attacker's system has taken from it before it ended is still delivered for some seconds, so
connections of `large-frames` may be counted as left.)
"""

from __future__ import annotations

import argparse
import array
import json
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import attacks

HOST = os.path.join(os.environ.get("ALLSPEAK_BIN", ".build/release"), "allspeak-host")


class Host:
    """Our host, playing on a clock."""

    def __init__(self, arguments=()):
        self.folder = tempfile.mkdtemp(prefix="hostile-")
        film = os.path.join(self.folder, "film.m4a")
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=30", "-c:a", "aac", film], check=True)
        subtitles = os.path.join(self.folder, "film.srt")
        with open(subtitles, "w") as srt:
            for index in range(1, 2001):
                time_ = f"00:{index // 600:02}:{index // 10 % 60:02},{index % 10}00"
                srt.write(f"{index}\n{time_} --> {time_}\nLine {index}, {os.urandom(20).hex()}\n\n")
        self.process = subprocess.Popen(
            [HOST, "play", f"--audio={film}", f"--subtitles={subtitles}", "--port=0", "--bind=127.0.0.1", "--output=null",
             "--mdns=off", "--json", f"--data={self.folder}/data", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        for line in self.process.stdout:
            if ready := json.loads(line).get("ready"):
                self.port = json.loads(line)["port"]
                break
        else:
            raise SystemExit(f"allspeak-host ended with status {self.process.wait()}")
        # Somebody reads on, as a supervisor would.
        self.reader = multiprocessing.Process(target=lambda: [None for _ in self.process.stdout], daemon=True)
        self.reader.start()

    def usage(self) -> tuple[int, int, float]:
        """Descriptors, threads, resident MiB."""
        root = f"/proc/{self.process.pid}"
        with open(f"{root}/status") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
        return len(os.listdir(f"{root}/fd")), len(os.listdir(f"{root}/task")), resident

    def cpu_seconds(self) -> float:
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.reader.terminate()
        shutil.rmtree(self.folder, ignore_errors=True)


class Remote:
    """A remote that behaves."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")
        self.number = 0
        self.socket.sendall(b'{"kind":"hello","payload":{"protocol":1,"remote":{"id":"good","name":"Good"}}}\n')

    def wait(self, *words: bytes):
        while line := self.stream.readline():
            if all(word in line for word in words):
                return
            if b'"goodbye"' in line:
                break
        raise ConnectionError("the host closed the connection")

    def command(self) -> float:
        """Seconds to the reply."""
        self.number += 1
        asked = time.monotonic()
        self.socket.sendall(b'{"kind":"command","id":%d,"payload":{"kind":"pause"}}\n' % self.number)
        self.wait(b'"re":%d,' % self.number)
        return time.monotonic() - asked


def watch(port: int, path: str, stop):
    """Asks some 400 times a second, and writes down when it asked and how long it waited."""
    remote = Remote(port)
    remote.wait(b'"kind":"snapshot"')
    with open(path, "wb") as log:
        while not stop.is_set():
            asked = time.monotonic()
            log.write(array.array("d", [asked, remote.command()]).tobytes())
            log.flush()
            time.sleep(0.0025)


def knock(port: int) -> float:
    """Milliseconds a new remote needs to its first snapshot; -1 where it is not let in."""
    started = time.monotonic()
    try:
        remote = Remote(port)
        remote.wait(b'"kind":"snapshot"')
    except OSError:
        return -1.0
    remote.socket.close()
    return (time.monotonic() - started) * 1e3


def run_attack(name: str, port: int, seconds: float, scale: float, held):
    attacks.raise_descriptor_limit()
    scene = attacks.Scene(port, seconds, scale, held.set)
    try:
        attacks.ALL[name](scene)
    finally:
        held.set()


def summary(samples: list[float]) -> dict:
    times = sorted(samples) or [float("nan")]
    return {"n": len(samples), "p50": times[len(times) // 2], "p99": times[min(len(times) - 1, len(times) * 99 // 100)],
            "max": times[-1]}


def measure(name: str, seconds: float, scale: float, pause: float) -> dict:
    host = Host()
    path = os.path.join(host.folder, "times")
    stop, held = multiprocessing.Event(), multiprocessing.Event()
    watcher = multiprocessing.Process(target=watch, args=(host.port, path, stop), daemon=True)
    attacker = multiprocessing.Process(target=run_attack, args=(name, host.port, seconds, scale, held))
    try:
        watcher.start()
        time.sleep(pause)
        usage, cpu, begun = host.usage(), host.cpu_seconds(), time.monotonic()
        attacker.start()
        held.wait(60)
        time.sleep(0.2)
        knocks, looks = [], [host.usage()]
        while attacker.is_alive():
            if len(knocks) < 20:
                knocks.append(knock(host.port))
            looks.append(host.usage())
            time.sleep(0.1)
        attacker.join()
        ended = time.monotonic()
        cpu = (host.cpu_seconds() - cpu) / (ended - begun) * 100
        time.sleep(0.2)
        calm = time.monotonic()
        time.sleep(pause + 1)
        alive = watcher.is_alive()
        stop.set()
        watcher.join()
        after = host.usage()
        with open(path, "rb") as log:
            values = array.array("d", log.read())
        times = list(zip(values[::2], (value * 1e3 for value in values[1::2])))
        return {
            "before": summary([took for at, took in times if at < begun]),
            "during": summary([took for at, took in times if begun <= at < ended]),
            "after": summary([took for at, took in times if at >= calm]),
            "good remote lost": not alive, "seconds": ended - begun,
            "newcomer": {"refused": sum(took < 0 for took in knocks), "n": len(knocks), "worst": max(knocks, default=-1)},
            "CPU %": cpu, "peak descriptors": max(look[0] for look in looks), "peak MiB": max(look[2] for look in looks),
            # The watcher's connection is gone by now.
            "left": [after[0] - usage[0] + 1, after[1] - usage[1], after[2] - usage[2]],
        }
    finally:
        for process in (attacker, watcher):
            if process.is_alive():
                process.terminate()
        host.close()


def cells(name: str, figures: dict) -> list[str]:
    def pair(part): return f"{part['p50']:.2f}/{part['p99']:.2f}"
    newcomer, left = figures["newcomer"], figures["left"]
    let_in = newcomer["n"] - newcomer["refused"]
    return [name, pair(figures["before"]), pair(figures["during"]), f"{figures['during']['max']:.1f}", pair(figures["after"]),
            f"{let_in}/{newcomer['n']} {newcomer['worst']:.0f}", f"{figures['CPU %']:.0f}",
            f"{figures['peak descriptors']}", f"{figures['peak MiB']:.0f}", f"{left[0]:+d} {left[1]:+d} {left[2]:+.1f}",
            "LOST" if figures["good remote lost"] else ""]


HEAD = ["attack", "before ms", "during ms", "worst", "after ms", "newcomers, ms", "CPU %", "fds", "MiB", "left: fds thr MiB", ""]


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/hostile", description=__doc__.split("\n")[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"{', '.join(attacks.ALL)}; default: all")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--quick", action="store_true", help="2 seconds an attack instead of 5, and fewer connections")
    parser.add_argument("--seconds", type=float, help="how long each attack goes on")
    options = parser.parse_args()
    if unknown := set(options.attacks) - set(attacks.ALL):
        parser.error(f"unknown attack: {', '.join(sorted(unknown))}; there are {', '.join(attacks.ALL)}")
    seconds = options.seconds or (2 if options.quick else 5)
    attacks.raise_descriptor_limit()
    results = {}
    for name in options.attacks or attacks.ALL:
        print(f"{name}: {attacks.ALL[name].__doc__}", file=sys.stderr)
        results[name] = measure(name, seconds, 0.2 if options.quick else 1, 0.5 if options.quick else 1.5)
    if options.json:
        print(json.dumps(results, indent=1))
        return 0
    rows = [HEAD] + [cells(name, figures) for name, figures in results.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    print("\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
