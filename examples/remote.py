#!/usr/bin/env python3
"""A whole Allspeak remote in Python 3.11 alone: remote.py [HOST [PORT]], then type play, pause, toggle, +1, -3 (quick
ones add up), seek 1:02.5, cue 12, track 2, volume 40, or Enter to see the state. § are those of Protocol/README.md."""
import asyncio, base64, bisect, datetime, hashlib, itertools, json, math, os, random, signal, sys, time, zlib
ME = {"id": f"python-{os.uname().nodename}", "name": "Python"}  # §6: it stays the same
STATE = {"sessionID": str, "revision": int, "isPlaying": bool, "currentTime": (int, float), "duration": (int, float)}
def say(*words): print(*words, flush=True)
def clean(text): return "".join(c if c.isprintable() else " " for c in text)[:300]  # §3: not safe to print as it is
def date(text): return datetime.datetime.fromisoformat(text).timestamp()
class Remote:
    def __init__(self, host="127.0.0.1", port=42557):
        self.address, self.writer, self.offset, self.shown = (host, int(port)), None, 0, None
        self.film, self.key, self.cues, self.held, self.chunks, self.pause = {}, {}, [], None, {}, 0.5  # film: metadata
        self.ids, self.delay, self.taps, self.turn = itertools.count(1), 0, [], None  # taps, turn: when and what
    async def talk(self):  # stays connected
        while True:
            self.asked, self.ask_at, self.best, self.ping_at, self.anchor = {}, math.inf, math.inf, 0, (0, False, {})
            opened, problem = await asyncio.sleep(self.delay * random.uniform(0.75, 1)) or time.monotonic(), "host gone"
            try:
                reader, self.writer = await asyncio.open_connection(*self.address, limit=65536)
                self.send("hello", {"protocol": 1, "remote": ME, "cues": self.held})
                while line := await asyncio.wait_for(reader.readline(), 12):  # §4.6: after that silence it is given up
                    try: self.take(json.loads(line), time.monotonic())
                    except Exception: pass  # §5: passed over, whatever it is
            except (OSError, ValueError) as error: problem = str(error) or "the host is silent"
            self.delay = 0 if self.writer and time.monotonic() > opened + 1 else min(5, max(0.25, 2 * self.delay))
            for text in [f"not connected: {problem}", *(f"not sent: {text}" for text in self.asked.values())]: say(text)
            self.writer = self.writer and self.writer.close()  # §4.8: nothing is sent again
    async def tick(self):  # does what time brings
        while now := await asyncio.sleep(0.02) or time.monotonic():
            if self.taps and now >= min(self.taps[-1][0] + 0.25, self.taps[0][0] + 1): self.send_taps()
            if (turn := self.turn) and now >= turn[0] + 0.1:  # §6: of quick turns the last, unless that is set already
                self.turn = not turn[2].items() <= self.anchor[2].items() and self.ask(turn[1], "setVolume", **turn[2])
            if self.writer and now >= self.ping_at: self.ping_at = now + 5; self.send("ping", {"sent": now})
            if now >= self.ask_at:  # §9: a chunk that did not come by itself
                self.ask_at, self.pause = now + self.pause, min(8, self.pause * 2)
                self.ask("cues", "requestCueChunk", **self.key, index=min({*range(600)} - {*self.chunks}))
            if (shown := self.status()[1:]) != self.shown: self.shown = shown; say(*self.status())
    def send(self, kind, body, **id): self.writer.write(f"{json.dumps(id | dict(kind=kind, payload=body))}\n".encode())
    def ask(self, text, kind, **arguments):
        if not self.writer: return say("not sent:", text)
        self.asked[number := next(self.ids)] = text; self.send("command", {"kind": kind} | arguments, id=number)
    def send_taps(self):  # §6: quick ones are one skip
        if skip := round(sum(self.taps.pop()[1] for _ in self.taps[:]), 6): self.ask(f"{skip:+g}", "skip", seconds=skip)
    def take(self, frame, now):
        kind, body, asked = frame["kind"], frame.get("payload") or {}, self.asked.pop(frame.get("re"), None)
        if kind == "ping": self.send("pong", body)
        if kind == "pong" and now - body["sent"] < self.best:  # §8: the smallest round trip knows best
            self.best, self.offset = now - body["sent"], date(body["serverDate"]) - (now + body["sent"]) / 2
        if kind == "error": say(f"{asked or 'host'}: {clean(body['code'])}: {clean(body['message'])}")
        if kind == "sessionEnded": self.film, self.key, self.anchor, self.ask_at = {}, {}, (0, False, {}), math.inf
        if kind in ("metadata", "snapshot") and not (all(isinstance(body[key], STATE[key]) for key in STATE)
            and max(abs(body["currentTime"]), abs(body["duration"])) <= 1e9): return  # §5: passed over
        if kind == "metadata": self.take_film(body, now)
        if not self.key or not self.key.items() <= body.items(): return
        if kind in ("metadata", "snapshot"):  # §8: the newer date counts, and of equal ones the snapshot's
            self.anchor = max((date(body["serverDate"]), kind == "snapshot", body), self.anchor, key=lambda a: a[:2])
        if kind == "cueChunk" and self.ask_at < math.inf: self.take_chunk(body, now + (0 if asked else 1))
    def take_film(self, film, now):  # §9: the host pushes cues after hello; what does not come is asked for
        key, self.film, self.title = {key: film[key] for key in ("sessionID", "revision")}, film, clean(film["title"])
        if key != self.key: self.key, self.chunks, self.anchor = key, {}, (0, False, {})
        if film["cueDigest"] != (self.held or {}).get("digest"): self.cues, self.held = [], None
        self.ask_at = math.inf if self.held or not film["cueCount"] else min(self.ask_at, now + 1)
    def take_chunk(self, chunk, ask_at):
        index, total, data = chunk["index"], chunk["totalChunks"], base64.b64decode(chunk["data"], validate=True)
        if not 0 <= index < total <= 600 or len(data) > 30000: return  # §10
        self.chunks[index] = data
        if len(self.chunks) < total: self.ask_at, self.pause = ask_at, 0.5; return
        text = zlib.decompressobj(31).decompress(b"".join(self.chunks.pop(i) for i in sorted(self.chunks)), 1 << 24)
        if hashlib.sha256(text.split(b'"cues":', 1)[1][:-1]).hexdigest() == self.film["cueDigest"]:
            self.held = {"sessionID": self.film["sessionID"], "digest": self.film["cueDigest"]}
            self.cues, self.ask_at, self.pause = json.loads(text)["cues"], math.inf, 0.5
    def status(self):  # clock, state, title, line; §8: the position is counted on from the anchor
        if not (at := self.anchor[2]): return "-:--", "no film" if self.writer else "not connected"
        moves = at["isPlaying"] and not at.get("isStalled")
        run = max(0, time.monotonic() + self.offset - date(at["serverDate"])) if moves else 0
        taps = sum(tap for _, tap in self.taps) + sum(float(text) for text in self.asked.values() if text[0] in "+-")
        t = min(max(0, at["currentTime"] + run + taps), at["duration"])
        text = self.cues and self.cues[max(0, bisect.bisect(self.cues, t + 5e-4, key=lambda c: c["start"]) - 1)]["text"]
        return f"{t // 60:.0f}:{t % 60:05.2f}", ("paused", "playing")[at["isPlaying"]], self.title + ":", clean(text)
    def obey(self, line):
        if line[:1] not in ("", "+", "-") and self.taps: self.send_taps()
        match line.split():
            case []: say(*self.status())
            case [step] if step[0] in "+-": self.taps.append((time.monotonic(), float(step)))
            case ["play" | "pause" | "toggle"]: self.ask(line, "togglePlayPause" if line == "toggle" else line)
            case ["seek", t]: self.ask(line, "seek", time=sum(float(x)*60**i for i, x in enumerate(t.split(":")[::-1])))
            case ["cue", n]: self.ask(line, "seek", time={cue["index"]: cue["start"] for cue in self.cues}[int(n)])
            case ["track", n]: self.ask(line, "switchTrack", trackID=self.film["tracks"][int(n) - 1]["id"])
            case ["volume", n]: self.turn = (self.turn or [time.monotonic()])[0], line, {"volume": float(n) / 100}
            case _: raise ValueError
async def main(remote, began):
    tasks = [asyncio.create_task(work) for work in (remote.talk(), remote.tick())]
    while line := await asyncio.to_thread(sys.stdin.readline):
        while not remote.cues and time.monotonic() < began + 1: await asyncio.sleep(0.02)  # so that a pipe works, too
        try: remote.obey(line.strip())
        except (IndexError, KeyError, TypeError, ValueError): say("not understood:", line.strip())
    while remote.asked or remote.taps or remote.turn: await asyncio.sleep(0.02)
signal.signal(signal.SIGINT, signal.SIG_DFL); asyncio.run(main(Remote(*sys.argv[1:]), time.monotonic()))
