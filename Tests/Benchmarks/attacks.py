"""What a hostile or unlucky peer may do to the host, one function an attack.

An attack runs in a process of its own, on loopback. It opens what it wants, calls `hold()` once the pressure is on (the
watcher then lets a new remote knock), goes on as long as `going()` says so, and leaves everything to the end of its process.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time

HELLO = b'{"kind":"hello","payload":{"protocol":1,"remote":{"id":"x","name":"X"}}}\n'
PING = b'{"kind":"ping","id":1}\n'
PAUSE = b'{"kind":"command","id":1,"payload":{"kind":"pause"}}\n'


class Scene:
    """Where the host is, how long to go on, and how to say that the pressure is on."""

    def __init__(self, port: int, seconds: float, scale: float, hold):
        self.port, self.scale, self.hold = port, scale, hold
        self.end = time.monotonic() + seconds
        self.open: list[socket.socket] = []

    def going(self) -> bool:
        return time.monotonic() < self.end

    def many(self, number: int) -> int:
        return max(1, int(number * self.scale))

    def connect(self, first: bytes = b"", receive_buffer: int | None = None) -> socket.socket | None:
        """A connection that stays open; `None` where the host or this machine gives none."""
        connection = socket.socket()
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(2)
        try:
            connection.connect(("127.0.0.1", self.port))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if first:
                connection.sendall(first)
        except OSError:
            connection.close()
            return None
        connection.setblocking(False)
        self.open.append(connection)
        return connection

    def flood(self, connections: list[socket.socket], chunk: bytes, reads: bool = True):
        """Sends `chunk` over and over on all of them; those that the host closes are opened again."""
        alive = {connection.fileno(): [connection, b""] for connection in connections if connection}
        first = {number: True for number in alive}
        while self.going():
            if not alive:
                time.sleep(0.01)
            readable, writable, _ = select.select(list(alive) if reads else [], list(alive), [], 0.05)
            for number in readable:
                if number in alive and not drain(alive[number][0]):
                    alive.pop(number)[0].close()
            for number in writable:
                if number not in alive:
                    continue
                connection, rest = alive[number]
                rest = rest or chunk
                try:
                    alive[number][1] = rest[connection.send(rest):]
                except BlockingIOError:
                    continue
                except OSError:
                    alive.pop(number)[0].close()
            while len(alive) < len(first) and self.going():
                fresh = self.connect(HELLO)
                if not fresh:
                    break
                alive[fresh.fileno()] = [fresh, b""]

    def wait(self):
        while self.going():
            time.sleep(0.05)


def drain(connection: socket.socket) -> bool:
    try:
        return bool(connection.recv(1 << 20))
    except BlockingIOError:
        return True
    except OSError:
        return False


def reset(connection: socket.socket):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def silent(scene: Scene):
    """5 000 connections that say nothing, all held open"""
    for _ in range(scene.many(5000)):
        scene.connect()
    scene.hold()
    scene.wait()


def silent_storm(scene: Scene):
    """connections that say nothing, as many a second as there can be"""
    scene.hold()
    while scene.going():
        scene.connect()
        if len(scene.open) > 2000:
            scene.open.pop(0).close()


def scan(scene: Scene):
    """connect and close, as many a second as there can be"""
    scene.hold()
    while scene.going():
        if connection := scene.connect():
            scene.open.remove(connection)
            connection.close()


def banners(scene: Scene):
    """TLS, HTTP, SSH and binary greetings"""
    words = [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500), b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
             b"POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\n{\"kind\":1}", b"SSH-2.0-x\r\n", os.urandom(4000), b"\0" * 100]
    scene.hold()
    number = 0
    while scene.going():
        number += 1
        scene.connect(words[number % len(words)])
        if len(scene.open) > 200:
            scene.open.pop(0).close()


def loris(scene: Scene):
    """60 first lines that grow by a byte a second"""
    drip(scene, [scene.connect() for _ in range(60)], b"{")


def loris_after_hello(scene: Scene):
    """60 remotes whose second line grows by a byte a second"""
    drip(scene, [scene.connect(HELLO + b'{"kind":"') for _ in range(60)], b"x")


def drip(scene: Scene, connections, byte: bytes):
    scene.hold()
    while scene.going():
        for connection in connections:
            try:
                if connection:
                    connection.send(byte)
            except OSError:
                pass
        time.sleep(1)


def deaf(scene: Scene):
    """40 remotes that never read, while the film is moved 1 000 times"""
    for _ in range(40):
        scene.connect(HELLO, receive_buffer=2048)
    scene.hold()
    driver = scene.connect(HELLO)
    moves = 0
    while scene.going():
        if moves < 1000:
            moves += 1
            driver.send(b'{"kind":"command","id":2,"payload":{"kind":"seek","time":%d}}\n' % (moves % 9))
        drain(driver)
        time.sleep(0.003)


def deaf_askers(scene: Scene):
    """10 remotes that ask for ever and never read"""
    scene.hold()
    scene.flood([scene.connect(HELLO, receive_buffer=2048) for _ in range(10)], PAUSE * 500, reads=False)


def resets(scene: Scene):
    """remotes that reset the connection while they are written to"""
    scene.hold()
    while scene.going():
        if connection := scene.connect(HELLO + PING * 20):
            scene.open.remove(connection)
            reset(connection)


def garbage(scene: Scene):
    """8 connections full of faulty frames, with a good one between, some ten thousand a second"""
    scene.hold()
    scene.flood([scene.connect(HELLO) for _ in range(8)], (b'{"kind":1}\n' * 20 + b'{"kind":"pong"}\n') * 200)


def garbage_everywhere(scene: Scene):
    """the same from 60 connections"""
    scene.hold()
    scene.flood([scene.connect(HELLO) for _ in range(60)], (b'{"kind":1}\n' * 20 + b'{"kind":"pong"}\n') * 200)


def commands(scene: Scene):
    """8 remotes with pipelined commands, far beyond the rate"""
    scene.hold()
    scene.flood([scene.connect(HELLO) for _ in range(8)], PAUSE * 1000)


def hellos(scene: Scene):
    """8 remotes that introduce themselves for ever"""
    scene.hold()
    scene.flood([scene.connect(HELLO) for _ in range(8)], HELLO * 1000)


def pings(scene: Scene):
    """8 remotes that ping for ever"""
    scene.hold()
    scene.flood([scene.connect(HELLO) for _ in range(8)], PING * 2000)


def large_frames(scene: Scene):
    """20 remotes with frames as long as may be"""
    frame = b'{"kind":"pong","payload":[' + b"[1.5e-7]," * 7000 + b"0]}\n"
    scene.hold()
    scene.flood([scene.connect(HELLO) for _ in range(20)], frame * 4)


def abandoned(scene: Scene):
    """500 remotes that say hello, half a line, and vanish"""
    for number in range(scene.many(500)):
        connection = scene.connect(HELLO + b'{"kind":"comm')
        if connection and number % 2:
            scene.open.remove(connection)
            reset(connection)
    for connection in scene.open:
        connection.close()
    scene.open.clear()
    scene.hold()
    scene.wait()


def stopped(scene: Scene):
    """30 remotes that are stopped (SIGSTOP) with full buffers"""
    code = ("import socket,sys,time\n"
            "open_=[]\n"
            "for _ in range(30):\n"
            " s=socket.socket(); s.setsockopt(1,8,2048); s.connect(('127.0.0.1',int(sys.argv[1])))\n"
            f" s.sendall({HELLO!r}); open_.append(s)\n"
            "print('ready',flush=True)\n"
            "time.sleep(1000)\n")
    child = subprocess.Popen([sys.executable, "-c", code, str(scene.port)], stdout=subprocess.PIPE)
    child.stdout.readline()
    child.send_signal(signal.SIGSTOP)
    scene.hold()
    driver = scene.connect(HELLO)
    while scene.going():
        driver.send(b'{"kind":"command","id":2,"payload":{"kind":"seek","time":%d}}\n' % (time.monotonic() % 9))
        drain(driver)
        time.sleep(0.01)
    child.kill()
    child.wait()


ALL = {attack.__name__.replace("_", "-"): attack for attack in (
    silent, silent_storm, scan, banners, loris, loris_after_hello, deaf, deaf_askers, resets, garbage, garbage_everywhere,
    commands, hellos, pings, large_frames, abandoned, stopped)}


def raise_descriptor_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
