"""The players that are measured, each driven over its own control protocol the way a remote would.

A player is made with the probe files as its tracks, paused, and reports `pid` and `started_in` (seconds from its start to
its first reply). Replies are measured on connections of their own (`wires.py`).
"""

from __future__ import annotations

import datetime
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PATIENCE = 15.0  # seconds for a start or a reply, far beyond anything measured


class Unavailable(Exception):
    """The player cannot be measured here; the text says why."""


class Player:
    """Common parts: a folder of its own, a process, and their end."""

    name: str
    # Whether it plays sound; else there are only replies to measure.
    plays = True

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix=f"benchmark-{self.name}-")
        self.started = time.monotonic()
        self.process: subprocess.Popen | None = None
        self.connections: list[socket.socket] = []

    @property
    def pid(self) -> int:
        return self.process.pid

    def launch(self, arguments, **options):
        self.started = time.monotonic()
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, **options)

    def connect(self, family, address) -> socket.socket:
        """Connects as soon as the player listens."""
        while True:
            connection = socket.socket(family)
            connection.settimeout(PATIENCE)
            if connection.connect_ex(address) == 0:
                break
            connection.close()
            if self.process.poll() is not None:
                raise Unavailable(f"{self.name} ended with status {self.process.returncode}")
            if time.monotonic() - self.started > PATIENCE:
                raise Unavailable(f"{self.name} does not listen on {address}")
            time.sleep(0.001)
        if family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connections.append(connection)
        return connection

    def close(self):
        for connection in self.connections:
            connection.close()
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def require(program: str):
    if not shutil.which(program):
        raise Unavailable(f"{program} is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Echo(Player):
    """A server that copies bytes back: the least that a request and its reply over TCP can cost here."""

    name, plays = "echo", False

    def __init__(self, files):
        super().__init__()
        self.address = ("127.0.0.1", free_port())
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "echo.py")
        self.launch([sys.executable, script, str(self.address[1])])
        connection = self.connect(socket.AF_INET, self.address)
        connection.sendall(b"ping\n")
        connection.recv(4096)
        self.started_in = time.monotonic() - self.started
        # It serves one connection at a time.
        connection.close()


class Mpv(Player):
    name = "mpv"

    def __init__(self, files):
        require("mpv")
        super().__init__()
        self.path = os.path.join(self.folder, "socket")
        self.launch(["mpv", "--no-config", "--no-video", "--really-quiet", "--ao=pulse", "--idle=yes", "--pause",
                     "--keep-open=yes", "--no-terminal", f"--input-ipc-server={self.path}", files[0],
                     *(f"--audio-file={name}" for name in files[1:])])
        self.stream = self.connect(socket.AF_UNIX, self.path).makefile("rwb")
        self.ping()
        self.started_in = time.monotonic() - self.started
        # The file is loaded after the first reply.
        while self.position() is None:
            time.sleep(0.01)
        self.switch(0)

    def call(self, *command):
        self.stream.write(json.dumps({"command": list(command)}).encode() + b"\n")
        self.stream.flush()
        while True:
            reply = json.loads(self.stream.readline())
            if "event" not in reply:
                return reply

    def ping(self): self.call("get_property", "pause")
    def play(self): self.call("set_property", "pause", False)
    def pause(self): self.call("set_property", "pause", True)
    def seek(self, position): self.call("seek", position, "absolute+exact")
    def switch(self, index): self.call("set_property", "aid", index + 1)
    def position(self): return self.call("get_property", "time-pos").get("data")


class Mpd(Player):
    name = "mpd"

    def __init__(self, files):
        require("mpd")
        super().__init__()
        music = os.path.join(self.folder, "music")
        os.mkdir(music)
        names = []
        for index, name in enumerate(files):
            names.append(f"{index}{os.path.splitext(name)[1]}")
            os.symlink(os.path.abspath(name), os.path.join(music, names[-1]))
        self.address = ("127.0.0.1", free_port())
        configuration = os.path.join(self.folder, "mpd.conf")
        with open(configuration, "w") as conf:
            conf.write(f'''music_directory "{music}"
db_file "{self.folder}/db"
log_file "{self.folder}/log"
pid_file "{self.folder}/pid"
bind_to_address "{self.address[0]}"
port "{self.address[1]}"
zeroconf_enabled "no"
auto_update "no"
audio_output {{
  type "pulse"
  name "pulse"
}}
''')
        self.launch(["mpd", "--no-daemon", configuration], stderr=subprocess.DEVNULL)
        self.stream = MpdConnection(self.connect(socket.AF_INET, self.address))
        self.ping()
        self.started_in = time.monotonic() - self.started
        self.call("update")
        while "updating_db" in self.status():
            time.sleep(0.02)
        for name in names:
            self.call(f"add {name}")
        self.current = 0

    def call(self, command): return self.stream.call(command)
    def status(self): return dict(line.split(": ", 1) for line in self.call("status") if ": " in line)
    def ping(self): self.call("status")
    def play(self): self.call("pause 0" if self.status().get("state") == "pause" else f"play {self.current}")
    def pause(self): self.call("pause 1")
    def seek(self, position): self.call(f"seek {self.current} {position}")
    def position(self): return float(self.status().get("elapsed", "nan"))

    def switch(self, index):
        position = self.position()
        self.current = index
        self.call(f"seek {index} {position}")


class MpdConnection:
    def __init__(self, connection):
        self.stream = connection.makefile("rwb")
        self.stream.readline()  # greeting

    def call(self, command):
        self.send(command)
        return self.reply()

    def send(self, command):
        self.stream.write(command.encode() + b"\n")
        self.stream.flush()

    def reply(self):
        lines = []
        while True:
            line = self.stream.readline().decode().strip()
            if line == "OK" or line.startswith("ACK"):
                return lines
            lines.append(line)


class Allspeak(Player):
    """Our host, over its wire protocol; `ALLSPEAK_BIN` is the folder of the release build."""

    name = "allspeak"

    def __init__(self, files, cues: int = 118, options=()):
        host = os.path.join(os.environ.get("ALLSPEAK_BIN", ".build/release"), "allspeak-host")
        if not os.path.exists(host):
            raise Unavailable(f"{host} is not built: swift build -c release")
        super().__init__()
        subtitles = os.path.join(self.folder, "film.srt")
        with open(subtitles, "w") as srt:
            step = 590 / cues
            for index in range(1, cues + 1):
                start = step * index
                srt.write(f"{index}\n{stamp(start)} --> {stamp(start + 0.6 * step)}\n{LINES[index % 4]} {index}\n\n")
        self.address = ("127.0.0.1", free_port())
        self.launch(
            [host, "play", *(f"--audio={name}=Track{index}" for index, name in enumerate(files)),
             f"--subtitles={subtitles}", "--title=Probe", f"--port={self.address[1]}", "--bind=127.0.0.1",
             "--output=pulse", "--mdns=off", "--json", f"--data={self.folder}/data", *options], stdout=subprocess.PIPE)
        for line in self.process.stdout:
            if line.startswith(b"{") and json.loads(line).get("ready"):
                break
        else:
            raise Unavailable(f"allspeak-host ended with status {self.process.wait()}")
        self.wire = AllspeakConnection(self.connect(socket.AF_INET, self.address))
        self.ping()
        self.started_in = time.monotonic() - self.started
        self.wire.greet()
        while "metadata" not in self.wire.pushed:
            self.wire.receive()
        self.tracks = [track["id"] for track in self.wire.pushed["metadata"]["tracks"]]

    def command(self, kind, **keys): return self.wire.call("command", {"kind": kind, **keys})
    def ping(self): self.wire.call("ping", {})
    def play(self): self.command("play")
    def pause(self): self.command("pause")
    def seek(self, position): self.command("seek", time=position)
    def switch(self, index): self.command("switchTrack", trackID=self.tracks[index])

    def position(self):
        """The newest anchor moved to now; host and benchmark share a clock here."""
        state = self.wire.newest_snapshot() or self.command("skip", seconds=0)["payload"]
        anchor = datetime.datetime.fromisoformat(state["serverDate"].replace("Z", "+00:00")).timestamp()
        return state["currentTime"] + ((time.time() - anchor) if state["isPlaying"] else 0)


class AllspeakConnection:
    def __init__(self, connection):
        self.socket = connection
        self.stream = connection.makefile("rwb")
        self.pushed, self.replied, self.number = {}, None, 0

    def greet(self):
        self.send({"kind": "hello", "payload": {"protocol": 1, "remote": {"id": f"b{id(self)}", "name": "benchmark"}}})

    def send(self, frame):
        self.stream.write(json.dumps(frame, separators=(",", ":")).encode() + b"\n")
        self.stream.flush()

    def receive(self):
        line = self.stream.readline()
        if not line:
            raise Unavailable("the host closed the connection")
        frame = json.loads(line)
        if "re" not in frame:
            self.pushed[frame["kind"]] = frame.get("payload")
        return frame

    def call(self, kind, payload):
        self.number += 1
        self.send({"kind": kind, "id": self.number, "payload": payload})
        while True:
            frame = self.receive()
            if frame.get("re") == self.number:
                if frame["kind"] == "error":
                    raise RuntimeError(frame["payload"])
                if frame["kind"] == "snapshot":
                    self.replied = frame["payload"]
                return frame

    def newest_snapshot(self):
        while self.has_waiting():
            self.receive()
        known = [state for state in (self.replied, self.pushed.get("snapshot")) if state]
        return max(known, key=lambda state: state["serverDate"], default=None)

    def has_waiting(self):
        self.socket.settimeout(0)
        try:
            return bool(self.stream.peek(1))
        except BlockingIOError:
            return False
        finally:
            self.socket.settimeout(PATIENCE)


def stamp(seconds):
    milliseconds = round(seconds * 1000)
    return (f"{milliseconds // 3600000:02}:{milliseconds // 60000 % 60:02}:"
            f"{milliseconds // 1000 % 60:02},{milliseconds % 1000:03}")


# About as long as subtitles are.
LINES = ["- Did you hear that?\n- No. Go back to sleep.", "He told me that the train would wait for us.", "Run!",
         "If we leave before midnight, nobody\nwill ever know that we were here."]

ALL = {player.name: player for player in (Allspeak, Mpv, Mpd, Echo)}
