"""What many remotes cost, and how soon a new one has everything: figures of our host alone.

The remotes are sockets of this process, read by one epoll loop. Its own work, a few microseconds a remote, is in the
figures: they are upper bounds.
"""

from __future__ import annotations

import base64
import json
import select
import socket
import time
import zlib

import players


def line(kind, payload, **envelope) -> bytes:
    return json.dumps({"kind": kind, **envelope, "payload": payload}, separators=(",", ":")).encode() + b"\n"


def connect(address) -> socket.socket:
    connection = socket.create_connection(address, players.PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def hello(number: int) -> bytes:
    return line("hello", {"protocol": 1, "remote": {"id": f"crowd-{number}", "name": f"Remote {number}"}})


class Crowd:
    """Remotes that have said hello and read all they are sent."""

    def __init__(self, address, size: int):
        self.poll = select.epoll()
        self.remotes = {}
        for number in range(size):
            remote = connect(address)
            remote.sendall(hello(number))
            remote.setblocking(False)
            self.remotes[remote.fileno()] = remote
            self.poll.register(remote.fileno(), select.EPOLLIN)
        self.drain(0.5)

    def drain(self, seconds: float):
        """Reads until nothing has come for that long."""
        while ready := self.poll.poll(seconds):
            for number, _ in ready:
                if not self.remotes[number].recv(65536):
                    raise players.Unavailable("the host closed a connection of the crowd")

    def told(self, since: float, text: bytes, patience: float = 5.0):
        """Seconds from `since` until each remote has been sent that text."""
        missing, times, seen = set(self.remotes), [], {}
        while missing and time.perf_counter() < since + patience:
            for number, _ in self.poll.poll(1):
                data = seen.pop(number, b"") + self.remotes[number].recv(65536)
                if number not in missing:
                    continue
                if text in data:
                    times.append(time.perf_counter() - since)
                    missing.discard(number)
                else:
                    seen[number] = data
        return times + [float("nan")] * len(missing)

    def close(self):
        self.poll.close()
        for remote in self.remotes.values():
            remote.close()


def fan_out(address, crowd: Crowd, changes: int):
    """For each change the time in ms until the last, the p99 and the median remote has been told."""
    asker = connect(address)
    rounds = []
    for index in range(changes):
        target = 100.125 + index
        since = time.perf_counter()
        asker.sendall(line("command", {"kind": "seek", "time": target}, id=index))
        times = sorted(crowd.told(since, b'"currentTime":%.3f' % target))
        rounds.append({"p50": times[len(times) // 2] * 1e3, "p99": times[int(len(times) * 0.99) - 1] * 1e3,
                       "last": times[-1] * 1e3})
        asker.recv(65536)
        crowd.drain(0.05)
    asker.close()
    return rounds


def connect_to_cues(address):
    """From connecting to all cues read, in ms; and how often this side had to send before it had them: round trips."""
    start = time.perf_counter()
    remote = connect(address)
    stream = remote.makefile("rb")
    remote.sendall(hello(0))
    chunks, total = {}, None
    while total is None or len(chunks) < total:
        frame = json.loads(stream.readline())
        if frame["kind"] == "cueChunk":
            total = frame["payload"]["totalChunks"]
            chunks[frame["payload"]["index"]] = base64.b64decode(frame["payload"]["data"])
    bundle = json.loads(zlib.decompress(b"".join(chunks[index] for index in range(total)), 31))
    took = (time.perf_counter() - start) * 1e3
    stream.close()
    remote.close()
    # The connection itself is one, hello and its pushes the other.
    return took, len(bundle["cues"]), 2
