"""Measures players side by side in one run and prints one table.

    Tests/Benchmarks/run                      allspeak, mpv, mpd and a plain echo server; what is not installed is left out
    Tests/Benchmarks/run --quick allspeak     fewer repetitions
    Tests/Benchmarks/run --json               one JSON object instead of the table

Machines are noisy: compare within one run, never with yesterday's. Latencies to sound may be negative, since a null
sink's monitor runs up to a block ahead of the clock: compare players, not zeros.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import sys
import time

import audible
import clocks
import crowd
import players
import wires

LENGTH = 600  # seconds of the probe tracks


class Effort:
    def __init__(self, quick: bool):
        self.starts, self.trips, self.tellings = (3, 500, 30) if quick else (7, 2000, 100)
        self.cpu_seconds = 5 if quick else 30
        self.seeks, self.switches, self.samples = (4, 4, 15) if quick else (12, 8, 40)
        self.remotes, self.changes, self.joins = (1000, 20, 20) if quick else (1000, 100, 100)
        self.clock_seconds = 5 if quick else 12


def cpu_seconds(pid: int) -> float:
    """Time of the process's present threads, as the scheduler counts it: ticks of 10 ms would hide a fifth of a percent."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as times:
            total += int(times.read().split()[0])
    return total / 1e9


def resident_mib(pid: int) -> float:
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def summary(values):
    """Quantiles of what could be measured; `failed` counts what could not."""
    good = sorted(value for value in values if value == value)
    if not good:
        return {"n": 0, "failed": len(values)}
    return {"n": len(good), "failed": len(values) - len(good), "min": good[0], "p50": statistics.median(good),
            "p95": good[min(len(good) - 1, int(0.95 * len(good)))],
            "p99": good[min(len(good) - 1, int(0.99 * len(good)))], "max": good[-1]}


def reported_minus_audible(player, samples: int):
    """Error in ms of the position the player reports, sampled every 0.1 s while playing."""
    recorder = audible.Recorder()
    time.sleep(1)
    reported = []
    for _ in range(samples):
        before = time.monotonic()
        position = player.position()
        reported.append(((before + time.monotonic()) / 2, position))
        time.sleep(0.1)
    time.sleep(0.5)
    data, origin = recorder.close()
    errors = []
    for at, position in reported:
        index = int((at - origin) * audible.RATE)
        snippet = data[index:index + audible.RATE // 10]
        if position is None or len(snippet) < audible.RATE // 10:
            errors.append(float("nan"))
            continue
        heard, peak = audible.locate(snippet, 0, position, 1.0)
        errors.append((position - heard) * 1e3 if peak > 0.6 else float("nan"))
    return errors


def listen_to(player, action, old, new):
    """Does `action` between two moments of recording; `old` and `new` are (track, position) functions."""
    recorder = audible.Recorder()
    time.sleep(1.0)
    before = old()
    sent = time.monotonic()
    action()
    time.sleep(2.2)
    data, origin = recorder.close()
    return audible.change(data, origin, sent, before, new(before))


def seeks(player, count: int):
    rng = random.Random(7)
    player.seek(20.0)
    time.sleep(1.0)
    jumps = []
    for _ in range(count):
        target = round(rng.uniform(30, LENGTH - 40), 3)
        jumps.append(listen_to(player, lambda: player.seek(target), lambda: (0, player.position()),
                               lambda _: (0, target)))
    return jumps


def switches(player, count: int):
    # Away from the end, which no switch must reach.
    player.seek(100.0)
    time.sleep(1.0)
    jumps = []
    for index in range(count):
        current, other = index % 2, 1 - index % 2
        jumps.append(listen_to(player, lambda: player.switch(other), lambda: (current, player.position()),
                               lambda before: (other, before[1])))
    return jumps


def measure(make, files, effort: Effort, say):
    starts = []
    for _ in range(effort.starts - 1):
        player = make(files)
        starts.append(player.started_in * 1e3)
        player.close()
    player = make(files)
    starts.append(player.started_in * 1e3)
    figures = {"start to first reply, ms": summary(starts)}
    try:
        if player.plays:
            player.play()
            time.sleep(1.5)
        say("replies")
        replies = wires.replies(player, effort.trips)
        figures["command to reply, ms"] = summary(replies)
        figures["command to reply, 99th of 100, ms"] = summary(replies).get("p99")
        if not player.plays:
            return figures
        figures["command to another remote told, ms"] = summary(wires.tellings(player, effort.tellings))
        time.sleep(1.0)
        say("load")
        before = cpu_seconds(player.pid)
        time.sleep(effort.cpu_seconds)
        figures["CPU while playing, %"] = (cpu_seconds(player.pid) - before) / effort.cpu_seconds * 100
        figures["resident memory while playing, MiB"] = resident_mib(player.pid)
        say("position")
        figures["reported minus audible position, ms"] = summary(reported_minus_audible(player, effort.samples))
        say("seeks")
        jumps = seeks(player, effort.seeks)
        figures["seek to sound, ms"] = summary([jump.latency * 1e3 for jump in jumps])
        figures["seek landing error, ms"] = summary([abs(jump.error) * 1e3 for jump in jumps])
        figures["seek silence, ms"] = summary([jump.gap * 1e3 for jump in jumps])
        say("track switches")
        jumps = switches(player, effort.switches)
        figures["track switch to sound, ms"] = summary([jump.latency * 1e3 for jump in jumps])
        figures["track switch silence, ms"] = summary([jump.gap * 1e3 for jump in jumps])
        figures["track switch slip, ms"] = summary([jump.slip * 1e3 for jump in jumps])
    finally:
        player.close()
    return figures


def measure_crowd(files, effort: Effort, say):
    """What only our host has: many remotes, and cues."""
    figures = {}
    host = players.Allspeak(files, cues=2000, options=["--connections", str(effort.remotes + 16)])
    try:
        say("joining")
        joins = [crowd.connect_to_cues(host.address) for _ in range(effort.joins)]
        assert all(count == 2000 for _, count, _ in joins), "a remote did not get all cues"
        figures["connect to 2 000 cues read, ms"] = summary([took for took, _, _ in joins])
        figures["connect to 2 000 cues read, round trips"] = summary([float(trips) for _, _, trips in joins])
        host.play()
        time.sleep(1.5)
        say(f"{effort.remotes} remotes")
        before = resident_mib(host.pid)
        remotes = crowd.Crowd(host.address, effort.remotes)
        figures[f"memory for each of {effort.remotes} remotes, KiB"] = (
            (resident_mib(host.pid) - before) * 1024 / effort.remotes)
        # Paused, the position told is the one asked for.
        host.pause()
        rounds = crowd.fan_out(host.address, remotes, effort.changes)
        for quantile, name in [("p50", "the median of"), ("p99", "99 % of"), ("last", "all of")]:
            figures[f"a change told to {name} {effort.remotes} remotes, ms"] = summary([r[quantile] for r in rounds])
        host.play()
        before = cpu_seconds(host.pid)
        until = time.monotonic() + effort.cpu_seconds
        while time.monotonic() < until:
            remotes.drain(0.2)
        figures[f"CPU while playing to {effort.remotes} remotes, %"] = (
            (cpu_seconds(host.pid) - before) / effort.cpu_seconds * 100)
        remotes.close()
    finally:
        host.close()
    return figures


def measure_two_clocks(files, effort: Effort, say):
    """What a remote of another machine shows, as far as one can be played here."""
    say("two clocks")
    try:
        errors = clocks.shown_minus_audible(files, effort.clock_seconds)
    except players.Unavailable as reason:
        say(f"two clocks are left out: {reason}")
        return {}
    return {"two clocks: shown minus audible position, ms": summary(errors),
            "two clocks: its size, 99th of 100, ms": summary([abs(error) for error in errors]).get("p99")}


def number(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def cell(figure) -> str:
    if figure is None:
        return "-"
    if isinstance(figure, float):
        return number(figure)
    if not figure["n"]:
        return "not measurable"
    text = f"{number(figure['p50'])} ({number(figure['min'])}…{number(figure['max'])})"
    return text + (f" [{figure['failed']} lost]" if figure["failed"] else "")


def table(results) -> str:
    names = list(results)
    rows = [["median (least…most)", *names]]
    for figure in dict.fromkeys(key for figures in results.values() for key in figures):
        rows.append([figure, *(cell(results[name].get(figure)) for name in names)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows)


def probe_files(folder: str):
    os.makedirs(folder, exist_ok=True)
    files = [os.path.join(folder, f"probe{track}.m4a") for track in (0, 1)]
    for track, name in enumerate(files):
        if not os.path.exists(name):
            audible.write_m4a(name + ".new.m4a", LENGTH, track)
            os.rename(name + ".new.m4a", name)
    return files


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/run", description=__doc__.split("\n")[0])
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="allspeak, mpv, mpd, echo; default: all")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--probes", default=".build/benchmarks", help="folder of the probe tracks, made if absent")
    options = parser.parse_args()
    if unknown := set(options.players) - set(players.ALL):
        parser.error(f"unknown player: {', '.join(sorted(unknown))}; there are {', '.join(players.ALL)}")

    files = probe_files(options.probes)
    # A thousand sockets on either side.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    results, missing = {}, []
    for name in options.players or players.ALL:
        try:
            def say(what, name=name): print(f"{name}: {what}", file=sys.stderr)
            results[name] = measure(players.ALL[name], files, Effort(options.quick), say)
            if players.ALL[name] is players.Allspeak:
                results[name] |= measure_crowd(files, Effort(options.quick), say)
                results[name] |= measure_two_clocks(files, Effort(options.quick), say)
        except players.Unavailable as reason:
            missing.append(name)
            print(f"{name} is left out: {reason}", file=sys.stderr)
    if options.json:
        print(json.dumps(results, indent=1))
    elif results:
        print(table(results))
    # A peer may be absent; what was asked for by name, or is ours, may not.
    return 1 if set(missing) & set(options.players or ["allspeak"]) else 0


if __name__ == "__main__":
    sys.exit(main())
