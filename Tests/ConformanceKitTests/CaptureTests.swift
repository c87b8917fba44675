import Conformance
import Testing
import WireProtocol

@Suite("What passes between a host and its remotes")
struct CaptureTests {
    private static let origin = SteadyTime(nanoseconds: 0)

    private func state(_ kind: String, _ time: Double, at second: Double, playing: Bool, more: String = "") -> String {
        let date = WireDate(milliseconds: 1_772_396_100_000 + Int64(second * 1_000)).iso8601
        let metadata =
            kind == "metadata"
            ? #""title":"t","cueCount":3,"cueDigest":"d1","tracks":[{"id":"T1","label":"x"}],"# : #""currentIndex":0,"#
        return
            #"{"kind":"\#(kind)"\#(more),"payload":{"sessionID":"S1","revision":4,\#(metadata)"currentTime":\#(time),"serverDate":"\#(date)","isPlaying":\#(playing),"duration":30,"activeTrackID":"T1"}}"#
    }

    /// The lines of a run; each step is `>` (a remote says), `<` (the host says) or `x`, after so many seconds.
    private func lines(_ steps: [(Double, String)]) -> [JSONValue] {
        var capture = Capture(name: "a", about: "b", section: "§6", now: Self.origin)
        var now = Self.origin
        capture.connected(1, now: now)
        var lines: [String] = []
        for (at, step) in steps {
            now = Self.origin + at
            lines += capture.lines(now: now)
            let bytes = Array((step.dropFirst() + "\n").utf8)[...]
            switch step.first {
            case ">": capture.sent(bytes, on: 1, now: now)
            case "<": capture.heard(bytes, on: 1, now: now)
            default: capture.ended(1, byHost: false, now: now)
            }
        }
        lines += capture.lines(now: now, isEnd: true)
        return lines.compactMap { try? JSONReader.value(of: Array($0.utf8)) }
    }

    @Test("becomes a recording that can be read")
    func isReadable() throws {
        let written = lines([
            (0.1, "<" + state("metadata", 5, at: 0, playing: false)), (0.2, ">" + #"{"kind":"ping","id":1}"#),
            (0.3, ">garbage"), (0.4, "x"),
        ])
        let text = written.map { Pattern.text(of: $0) }.joined(separator: "\n")
        let recording = try Recording(reading: Array(text.utf8))
        #expect(recording.start.position == .seconds(5))
        #expect(recording.lines.map(\.at) == [0, 0.1, 0.2, 0.3, 0.4])
        #expect(written.last?["does"] == .string("disconnect"))
        #expect(written[4]["sendsBytes"] == .string("garbage\n"))
    }

    @Test("can be read whatever a remote says, also the format's own words and nothing but control characters")
    func isReadableWhateverIsSaid() throws {
        let pong = #"{"kind":"pong","re":1,"payload":{"$any":7,"a":{"$var":"x"},"serverDate":"2026-03-01T20:15:00Z"}}"#
        let written = lines([
            (0, ">" + #"{"kind":"ping","id":1,"payload":{"$any":7,"a":{"$var":"x"}}}"#), (0.1, "<" + pong),
            (0.2, ">" + String(repeating: "\u{1}", count: 60_000)),
        ])
        let text = written.map { Pattern.text(of: $0) }.joined(separator: "\n")
        let recording = try Recording(reading: Array(text.utf8))
        #expect(recording.lines.count == written.count - 1)
        #expect(written.contains { $0["sendsBytes"]?["base64"] != nil })
        #expect(written.contains { $0["sendsBytes"]?.stringValue?.contains("$any") == true })
    }

    @Test("has names instead of ids, also where a remote names them before the host")
    func names() {
        let hello =
            #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r"},"cues":{"sessionID":"S1","digest":"d1"}}}"#
        let written = lines([
            (0, ">" + hello), (0.01, "<" + state("metadata", 5, at: 0, playing: false)),
            (0.2, ">" + #"{"kind":"command","payload":{"kind":"switchTrack","trackID":"T1"}}"#),
        ])
        let cues = written[2]["sends"]?["payload"]?["cues"]
        #expect(cues?["sessionID"]?["$var"] == .string("session"))
        #expect(cues?["digest"]?["$var"] == .string("digest"))
        #expect(written[4]["sends"]?["payload"]?["trackID"]?["$var"] == .string("track0"))
        #expect(written[3]["hears"]?["payload"]?["sessionID"]?["$var"] == .string("session"))
    }

    @Test("tells positions by the anchors before them")
    func positions() {
        let written = lines([
            (0, "<" + state("snapshot", 5, at: 0, playing: true)),
            (1, "<" + state("snapshot", 6, at: 1, playing: true)),
            (1.5, ">" + #"{"kind":"command","id":1,"payload":{"kind":"skip","seconds":3}}"#),
            (1.51, "<" + state("snapshot", 9.5, at: 1.5, playing: true, more: #","re":1"#)),
            (2, ">" + #"{"kind":"command","id":2,"payload":{"kind":"seek","time":40}}"#),
            (2.01, "<" + state("snapshot", 30, at: 2, playing: true, more: #","re":2"#)),
        ]).compactMap { $0["hears"]?["payload"]?["currentTime"] }
        #expect(written[0]["anchor"] == .string("a1"))
        #expect(written[1]["$follows"] == .string("a1"))
        #expect(written[2]["$follows"] == .string("a1") && written[2]["plus"] == .integer(3))
        #expect(written[3]["$number"]?["$var"] == .string("duration"))
    }

    @Test("holds no push that a newer one follows at once, and marks one that a command follows")
    func pushes() {
        let written = lines([
            (0, "<" + state("snapshot", 5, at: 0, playing: false)),
            (1, "<" + state("snapshot", 5, at: 0, playing: false)),
            (1.01, "<" + state("snapshot", 5, at: 0, playing: false)),
            (1.02, ">" + #"{"kind":"command","payload":{"kind":"play"}}"#),
        ])
        let heard = written.filter { $0["hears"] != nil }
        #expect(heard.count == 2)
        #expect(heard.map { $0["optional"] } == [nil, .bool(true)])
    }

    /// Metadata whose last change was made by `name`.
    private func metadata(by name: String, at second: Double) -> String {
        "<" + state("metadata", 5, at: second, playing: false).replacing(#""title""#, with: #""by":"\#(name)","title""#)
    }

    private static let newcomer =
        #">{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r","name":"Newcomer"}}}"#

    @Test("says who made a change only where the change is in the recording")
    func changers() {
        let written = lines([
            (0, Self.newcomer), (0.01, metadata(by: "Newcomer", at: 0)),
            (0.2, #">{"kind":"command","id":1,"payload":{"kind":"switchTrack","trackID":"?"}}"#),
            (0.21, #"<{"kind":"error","re":1,"payload":{"code":"unknownTrack","message":"none"}}"#),
            (0.3, metadata(by: "Newcomer", at: 0.3)),
            (0.4, #">{"kind":"command","id":2,"payload":{"kind":"pause"}}"#),
            (0.41, "<" + state("snapshot", 5, at: 0.4, playing: false, more: #","re":2"#)),
            (0.42, metadata(by: "Newcomer", at: 0.4)),
        ]).compactMap { $0["hears"] }.filter { $0["kind"] == .string("metadata") }
        #expect(written.map { $0["payload"]?["by"] } == [nil, nil, .string("Newcomer")])
    }

    @Test("names the host as the one who made a change only after somebody else")
    func changesOfTheHost() {
        let written = lines([
            (0, Self.newcomer), (0.1, metadata(by: "host", at: 0)), (0.2, metadata(by: "Other", at: 0.2)),
            (0.3, metadata(by: "host", at: 0.3)),
        ]).compactMap { $0["hears"]?["payload"] }
        #expect(written.map { $0["by"] } == [nil, nil, .string("host")])
    }

    @Test(
        "asks for a volume, or for none, where somebody turns it; and the header keeps its length",
        arguments: [(#","volume":0.5"#, true), ("", false)])
    func volume(_ member: String, _ hasVolume: Bool) throws {
        var capture = Capture(name: "a", about: "b", section: "§6", now: Self.origin)
        capture.connected(1, now: Self.origin)
        let snapshot = state("snapshot", 5, at: 0, playing: false)
            .replacing(#","duration""#, with: #"\#(member),"duration""#)
        capture.heard(Array((snapshot + "\n").utf8)[...], on: 1, now: Self.origin)
        let given = capture.lines(now: Self.origin + 1)
        let first = try #require(given.first)
        let unneeded = capture.correctedHeader()
        #expect(!first.contains("volume") && unneeded == nil)
        capture.sent(
            Array((#"{"kind":"command","payload":{"kind":"setVolume","volume":0.4}}"# + "\n").utf8)[...], on: 1,
            now: Self.origin + 1)
        let corrected = capture.correctedHeader()
        let second = try #require(corrected)
        #expect(second.utf8.count == first.utf8.count)
        #expect(try Recording(reading: Array(second.utf8)).film.hasVolume == hasVolume)
        let again = capture.correctedHeader()
        #expect(again == nil)
    }

    @Test("has a name and a section that a reader takes, or the reader's reason")
    func headerRules() {
        #expect(Recording.fault(ofName: "two-remotes-2") == nil && Recording.fault(ofSection: "§6") == nil)
        #expect(Recording.fault(ofName: "Bad Name") != nil && Recording.fault(ofName: "") != nil)
        #expect(Recording.fault(ofSection: "foo") != nil)
    }

    @Test("keeps a piece of a line that the host did not wait for, and bytes that are no text")
    func pieces() {
        var capture = Capture(name: "a", about: "b", section: "§4", now: Self.origin)
        capture.connected(1, now: Self.origin)
        capture.sent([0x16, 0x03, 0xFF], on: 1, now: Self.origin)
        capture.ended(1, byHost: true, now: Self.origin)
        let written = capture.lines(now: Self.origin, isEnd: true)
        #expect(written.contains { $0.contains(#""sendsBytes":{"base64":"FgP/"}"#) })
        #expect(written.last?.contains("hearEnd") == true)
    }
}
