import Foundation
import TestKit

/// A fault put into `examples/remote.py` by changing its text, and the check that has to find it.
struct RemoteMutant: Sendable {
    var name: String
    /// The trial that is played.
    var trial: String
    /// The check that has to fail.
    var check: String
    var changes: [(old: String, new: String)]

    init(_ name: String, _ trial: String, _ check: String, _ changes: (String, String)...) {
        (self.name, self.trial, self.check) = (name, trial, "\(trial): \(check)")
        self.changes = changes.map { (old: $0, new: $1) }
    }

    /// The changed program; throws where the text to change is not there exactly once.
    func text(of original: String) throws -> String {
        try changes.reduce(original) { text, change in
            guard text.components(separatedBy: change.old).count == 2 else {
                throw TestFailure("\(name): examples/remote.py does not have “\(change.old)” exactly once")
            }
            return text.replacing(change.old, with: change.new)
        }
    }

    static let all = skips + positions + anchors + connections + cues + input

    private static let skips = [
        RemoteMutant(
            "every tap is sent", "coalescing", "five quick +1 are one skip of 5",
            ("float(step)))", "float(step))); self.send_taps()")),
        RemoteMutant(
            "the window is 100 ms", "window", "each tap restarts the window: four taps 0.15 s apart are one skip",
            ("[-1][0] + 0.25", "[-1][0] + 0.1")),
        RemoteMutant(
            "a tap does not restart the window", "window",
            "each tap restarts the window: four taps 0.15 s apart are one skip",
            ("self.taps[-1][0] + 0.25", "self.taps[0][0] + 0.25")),
        RemoteMutant(
            "the window is 0.6 s", "window", "which leaves 250 ms after the last tap",
            ("[-1][0] + 0.25", "[-1][0] + 0.6")),
        RemoteMutant(
            "it waits for as long as one taps", "tapping",
            "who never stops tapping is heard 1 s after the first tap", ("self.taps[0][0] + 1)", "self.taps[0][0] + 9)")
        ),
        RemoteMutant(
            "a sum of zero is sent", "coalescing", "taps that add up to nothing send nothing",
            ("if skip := round(", "if None is not (skip := round("), (", 6): self.ask(f", ", 6)): self.ask(f")),
        RemoteMutant(
            "the rest of floating point is sent", "coalescing",
            "nor do +0.1 +0.2 -0.3, which floating point makes a tiny rest of", (", 6): self", ", 20): self")),
        RemoteMutant(
            "a command overtakes the taps", "order", "taps leave before the command typed after them",
            ("and self.taps: self.send_taps()", "and self.taps: pass")),
        RemoteMutant(
            "one id for all commands", "order", "commands that wait at the same time have ids of their own",
            ("next(self.ids)", "7")),
        RemoteMutant(
            "the tap is shown when it is sent", "preview", "the shown position moves with the first tap",
            ("sum(tap for _, tap in self.taps) + sum(float", "sum(float")),
        RemoteMutant(
            "the tap is not shown while it travels", "preview", "and stays there until the reply",
            (" + sum(float(text) for text in self.asked.values() if text[0] in \"+-\")", "")),
        RemoteMutant(
            "every turn of the volume is sent", "turning", "a long turn is thinned out",
            ("now >= turn[0] + 0.1", "now >= turn[0]")),
        RemoteMutant(
            "a volume that is set is sent again", "volume", "a volume that is set already is not sent",
            ("not turn[2].items() <= self.anchor[2].items() and", "False or")),
    ]

    private static let positions = [
        RemoteMutant(
            "no offset of the clocks", "clock-ahead", "the position is right though the host's clock is 5 s ahead",
            ("time.monotonic() + self.offset - date(at", "time.time() - date(at")),
        RemoteMutant(
            "no offset of the clocks, the other way", "clock-behind",
            "the position is right though the host's clock is 5 s behind",
            ("time.monotonic() + self.offset - date(at", "time.time() - date(at")),
        RemoteMutant(
            "the last pong knows best", "jitter", "and later slow ones do not spoil it",
            ("and now - body[\"sent\"] < self.best:", "and now:")),
        RemoteMutant(
            "no end of the film", "position", "it does not run past the end",
            (
                "min(max(0, at[\"currentTime\"] + run + taps), at[\"duration\"])",
                "max(0, at[\"currentTime\"] + run + taps)"
            )),
        RemoteMutant(
            "no start of the film", "position", "one before the start shows 0",
            (
                "min(max(0, at[\"currentTime\"] + run + taps), at[\"duration\"])",
                "min(abs(at[\"currentTime\"] + run + taps), at[\"duration\"])"
            )),
        RemoteMutant(
            "a paused film runs", "position", "and does not run", ("if moves else 0", "if at else 0")),
        RemoteMutant(
            "it runs before the anchor", "position", "it does not run before a serverDate that lies ahead",
            ("run = max(0, time", "run = max(-9, time")),
        RemoteMutant(
            "a cue is missed by rounding", "cue", "a start that is 0.0004 s away is reached", ("t + 5e-4", "t")),
        RemoteMutant(
            "of equal starts the first cue", "cue", "of equal starts the later one is",
            ("bisect.bisect(", "bisect.bisect_left("), ("t + 5e-4", "t")),
    ]

    private static let anchors = [
        RemoteMutant(
            "metadata wins a tie", "anchor", "of metadata and snapshot of the same date the snapshot counts",
            ("kind == \"snapshot\", body), self.anchor", "kind == \"metadata\", body), self.anchor")),
        RemoteMutant(
            "the last word counts", "anchor", "a snapshot older than the last is dropped",
            (
                "self.anchor = max((date(body[\"serverDate\"])",
                "self.anchor = max((date(body[\"serverDate\"]) + now * 99"
            )),
        RemoteMutant(
            "another film's snapshot counts", "anchor", "a snapshot of another session is dropped",
            ("not self.key.items() <= body.items()", "body.get(\"revision\") != self.key[\"revision\"]")),
        RemoteMutant(
            "the old anchor outlives the connection", "anchor",
            "the first message of a new connection counts, whatever its date",
            (
                "math.inf, math.inf, 0, (0, False, {})",
                "math.inf, math.inf, 0, getattr(self, \"anchor\", (0, False, {}))"
            )),
        RemoteMutant(
            "sessionEnded is ignored", "ended", "after sessionEnded no position is shown",
            ("kind == \"sessionEnded\"", "kind == \"never\"")),
        RemoteMutant(
            "the old film's anchor outlives it", "replaced",
            "another film's metadata replaces the position, and what comes late of the old one is dropped",
            ("self.key, self.chunks, self.anchor = key, {}, (0, False, {})", "self.key, self.chunks = key, {}")),
    ]

    private static let connections = [
        RemoteMutant(
            "commands are sent again", "resending", "what was sent on a broken connection is not sent again",
            ("self.asked, self.ask_at,", "self.again = getattr(self, \"asked\", {}); self.asked, self.ask_at,"),
            ("\"cues\": self.held})", "\"cues\": self.held}); [self.obey(text) for text in self.again.values()]")),
        RemoteMutant(
            "not a word on what was not sent", "resending", "and the user is told: “not sent”",
            (", *(f\"not sent: {text}\" for text in self.asked.values())", "")),
        RemoteMutant(
            "not a word on what cannot be sent", "away", "a command without a connection is told: “not sent”",
            ("return say(\"not sent:\", text)", "return")),
        RemoteMutant(
            "it knocks every 0.25 s", "reconnecting", "then after 0.25 s, doubling to 5 s",
            ("min(5, max(0.25, 2 * self.delay))", "0.25")),
        RemoteMutant(
            "the first retry waits", "reconnecting", "tries again at once",
            ("self.delay = 0 if", "self.delay = 2 if")),
        RemoteMutant(
            "no jitter", "reconnecting", "with jitter", ("random.uniform(0.75, 1)", "1")),
        RemoteMutant(
            "it hammers a full host", "full", "a host that greets and turns it away is not hammered",
            ("time.monotonic() > opened + 1", "time.monotonic() > opened")),
        RemoteMutant(
            "it hammers a host that has ended", "shutdown", "after goodbye shutdown it does not hammer",
            ("min(5, max(0.25, 2 * self.delay))", "0.05")),
        RemoteMutant(
            "silence is borne for 20 s", "silence", "gives a silent host up after 12 s",
            ("readline(), 12)", "readline(), 20)")),
        RemoteMutant(
            "another id on each connection", "greeting", "it comes back, under the same id",
            ("\"remote\": ME", "\"remote\": ME | {\"id\": str(random.random())}")),
        RemoteMutant(
            "no ping", "pings", "pings every 5 s",
            ("self.ping_at = now + 5; self.send(\"ping\", {\"sent\": now})", "self.ping_at = now + 5")),
        RemoteMutant(
            "no pong", "pings", "answers a ping with a pong",
            ("kind == \"ping\": self.send(\"pong\", body)", "kind == \"ping\": pass")),
    ]

    private static let cues = [
        RemoteMutant(
            "hello names no cues", "pushed", "after a reconnect hello names the cues that it holds",
            ("\"cues\": self.held", "\"cues\": None")),
        RemoteMutant(
            "all chunks are asked for again", "lost", "a lost chunk is asked for, and only that",
            ("if now >= self.ask_at:  #", "if now >= self.ask_at and (self.chunks.clear() or True):  #")),
        RemoteMutant(
            "a break throws the download away", "partial", "after a break it goes on where it was",
            ("self.asked, self.ask_at,", "self.chunks = {}; self.asked, self.ask_at,")),
        RemoteMutant(
            "pieces of two revisions are mixed", "mixture", "pieces of an older revision are thrown away",
            (
                "self.key, self.chunks, self.anchor = key, {}, (0, False, {})",
                "self.key, self.anchor = key, (0, False, {})"
            )),
        RemoteMutant(
            "no check of the digest", "digest", "cues whose digest is not the metadata's are not shown",
            ("== self.film[\"cueDigest\"]:", "!= \"\":")),
        RemoteMutant(
            "the pauses do not grow", "deaf", "a request without an answer is made again after growing pauses",
            ("min(8, self.pause * 2)", "self.pause")),
        RemoteMutant(
            "an oversize chunk is taken", "chunks",
            "chunks that break a limit, are of another film or no base 64 are passed over",
            ("or len(data) > 30000", "")),
        RemoteMutant(
            "what is no base 64 is taken", "chunks",
            "chunks that break a limit, are of another film or no base 64 are passed over", (", validate=True", "")),
    ]

    private static let input = [
        RemoteMutant(
            "control characters reach the terminal", "errors", "without control characters and direction overrides",
            ("c if c.isprintable() else \" \"", "c")),
        RemoteMutant(
            "deep nesting ends it", "junk", "lines that are no frame, and kinds it does not know, are passed over",
            ("except Exception: pass", "except (KeyError, TypeError, ValueError, zlib.error): pass")),
        RemoteMutant(
            "wrong types are taken", "faults",
            "states with a missing key, a wrong type or a time out of range are passed over",
            ("all(isinstance(body[key], STATE[key]) for key in STATE)", "True")),
    ]
}
