"""The network that is played holds up what it says, and loses nothing."""

import socket
import threading
import time
import unittest

import delaying


class ProxyTests(unittest.TestCase):
    def setUp(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.server.close)

    def through(self, **delays):
        proxy = delaying.Proxy(self.server.getsockname(), **delays)
        self.addCleanup(proxy.close)
        near = socket.create_connection(proxy.address)
        self.addCleanup(near.close)
        far, _ = self.server.accept()
        self.addCleanup(far.close)
        return near, far

    def test_pieces_come_late_whole_and_in_order(self):
        near, far = self.through(base=0.02, jitter=0.05)
        sent, data, times = [], b"", []
        for number in range(20):
            sent.append(time.monotonic())
            near.sendall(b"%03d\n" % number)
            time.sleep(0.005)
        while len(data) < 80:
            data += far.recv(65536)
            times += [time.monotonic()] * (len(data) // 4 - len(times))
        self.assertEqual(data, b"".join(b"%03d\n" % number for number in range(20)))
        late = [at - start for start, at in zip(sent, times)]
        self.assertGreaterEqual(min(late), 0.02)
        self.assertGreater(max(late), 0.03)

    def test_a_large_amount_passes_and_the_end_behind_it(self):
        near, far = self.through(base=0.0, jitter=0.002)
        content = bytes(range(256)) * 4000

        def send():
            near.sendall(content)
            near.shutdown(socket.SHUT_WR)
        threading.Thread(target=send, daemon=True).start()
        data = b""
        while more := far.recv(65536):
            data += more
        self.assertEqual(data, content)


if __name__ == "__main__":
    unittest.main()
