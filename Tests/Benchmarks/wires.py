"""The players' control protocols as bytes: one client for all of them, which does no more than send and receive.

So the figures are the servers', not those of a JSON library; what a client makes of the bytes is its own affair.
"""

from __future__ import annotations

import json
import socket
import time

import players


class Wire:
    """A connection on which requests and changes are bytes, and so is what tells that one has been answered."""

    def __init__(self, player):
        self.socket = player.connect(*self.place(player))
        self.greet()

    def place(self, player): return socket.AF_INET, player.address
    def greet(self): pass
    def request(self) -> bytes: raise NotImplementedError
    def is_answer(self, data: bytes) -> bool: raise NotImplementedError
    def change(self, pause: bool) -> bytes: raise NotImplementedError

    def until(self, is_done) -> bytes:
        data = b""
        while not is_done(data):
            more = self.socket.recv(65536)
            if not more:
                raise players.Unavailable("the connection was closed")
            data += more
        return data

    def ask(self):
        self.socket.sendall(self.request())
        self.until(self.is_answer)

    def make(self, pause: bool):
        self.socket.sendall(self.change(pause))


class Echo(Wire):
    # As long as a command of ours.
    def request(self): return b'{"kind":"command","id":1000,"payload":{"kind":"skip","seconds":0}}\n'
    def is_answer(self, data): return data.endswith(b"\n")


class Allspeak(Wire):
    def greet(self): self.until(lambda data: data.endswith(b"\n"))
    # Answered like any other command, and changes nothing.
    def request(self): return b'{"kind":"command","id":1000,"payload":{"kind":"skip","seconds":0}}\n'
    def is_answer(self, data): return b'"re":1000' in data and data.endswith(b"\n")
    def change(self, pause): return b'{"kind":"command","payload":{"kind":"%s"}}\n' % (b"pause" if pause else b"play")

    def observe(self):
        hello = {"kind": "hello", "payload": {"protocol": 1, "remote": {"id": "observer", "name": "observer"}}}
        self.socket.sendall(json.dumps(hello).encode() + b"\n")
        self.until(lambda data: b'"cueChunk"' in data and data.endswith(b"\n"))

    def wait_for(self, pause: bool):
        self.until(lambda data: (b'"isPlaying":false' if pause else b'"isPlaying":true') in data)


class Mpv(Wire):
    def place(self, player): return socket.AF_UNIX, player.path
    def request(self): return b'{"command":["get_property","pause"],"request_id":1000}\n'
    def is_answer(self, data): return b'"request_id":1000' in data and data.endswith(b"\n")
    def change(self, pause): return b'{"command":["set_property","pause",%s]}\n' % (b"true" if pause else b"false")

    def observe(self):
        self.socket.sendall(b'{"command":["observe_property",1,"pause"]}\n')
        self.until(lambda data: b"property-change" in data)

    def wait_for(self, pause: bool):
        word = b'"data":true' if pause else b'"data":false'
        self.until(lambda data: b"property-change" in data and word in data)


class Mpd(Wire):
    def greet(self): self.until(lambda data: data.endswith(b"\n"))
    def request(self): return b"status\n"
    def is_answer(self, data): return data.endswith(b"OK\n")
    def change(self, pause): return b"pause %d\n" % pause
    def observe(self): self.socket.sendall(b"idle player\n")

    def wait_for(self, pause: bool):
        """`idle` tells only that something changed; what it is takes a `status`, as MPD's clients do it."""
        self.until(self.is_answer)
        self.ask()
        self.observe()


OF = {players.Allspeak: Allspeak, players.Mpv: Mpv, players.Mpd: Mpd, players.Echo: Echo}


def replies(player, count: int):
    """From a request to its reply, in ms."""
    wire, times = OF[type(player)](player), []
    for _ in range(count):
        start = time.perf_counter()
        wire.ask()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def tellings(player, count: int):
    """From a command of one remote until another has been told, in ms; the player plays."""
    asker, observer = OF[type(player)](player), OF[type(player)](player)
    observer.observe()
    time.sleep(0.1)
    times = []
    for index in range(count):
        pause = index % 2 == 0
        start = time.perf_counter()
        asker.make(pause)
        observer.wait_for(pause)
        times.append((time.perf_counter() - start) * 1e3)
        # What else it is sent, its own reply among it, is not to be read later.
        time.sleep(0.03)
        asker.socket.recv(65536)
        drain(observer.socket)
    if count % 2:
        asker.make(False)
    return times


def drain(connection: socket.socket):
    connection.settimeout(0)
    try:
        while connection.recv(65536):
            pass
    except BlockingIOError:
        pass
    finally:
        connection.settimeout(players.PATIENCE)
