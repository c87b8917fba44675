"""A slow and unsteady network on this machine: a TCP proxy that holds every piece of bytes up, changes none, and keeps order."""

from __future__ import annotations

import random
import socket
import threading
import time
from queue import Queue


class Proxy:
    """Leads connections to `address` of its own on to `target`.

    A piece, which is what one read gives, is held up by `base` seconds and up to `jitter` more, but never passes the one
    before it. Each direction of each connection draws its delays from a seed of its own.
    """

    def __init__(self, target, base: float = 0.002, jitter: float = 0.1, seed: int = 1):
        self.target, self.base, self.jitter, self.seed = target, base, jitter, seed
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = self._listener.getsockname()
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        for end in [self._listener, *self._ends]:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # The other side has closed it.
            end.close()

    def _accept(self):
        lane = 0
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(self.target)
            except OSError:
                return
            self._ends += [near, far]
            for source, target in [(near, far), (far, near)]:
                # A small piece must not wait for the other side's word on the one before.
                target.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                pieces, chance = Queue(), random.Random(self.seed * 1000 + lane)
                lane += 1
                threading.Thread(target=self._read, args=(source, pieces, chance), daemon=True).start()
                threading.Thread(target=self._write, args=(pieces, target), daemon=True).start()

    def _read(self, source, pieces, chance):
        due, data = 0.0, b"-"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            due = max(due, time.monotonic() + self.base + self.jitter * chance.random())
            pieces.put((due, data))

    def _write(self, pieces, target):
        while True:
            due, data = pieces.get()
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                if not data:
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(data)
            except OSError:
                return
