import Testing
import WireProtocol

@testable import Conformance

@Suite("A pattern")
struct PatternTests {
    private func json(_ text: String) throws -> JSONValue { try JSONReader.value(of: Array(text.utf8)) }

    /// A recording whose one expected line is `pattern`.
    private func pattern(_ text: String) throws -> Pattern {
        let file = [
            #"{"recording":1,"name":"a","about":"b","section":"§1"}"#, #"{"at":0,"on":"a","does":"connect"}"#,
            #"{"at":0,"on":"a","hears":{"kind":"x","payload":\#(text)}}"#,
        ].joined(separator: "\n")
        let recording = try Recording(reading: Array(file.utf8))
        guard case .hear(let pattern, _)? = recording.lines.last?.step else { throw Unread() }
        return pattern
    }

    private struct Unread: Error {}

    private func departs(_ text: String, _ payload: String, _ facts: inout Facts) throws -> Mismatch? {
        let line = HeardLine(try json(#"{"kind":"x","payload":\#(payload)}"#))
        let pattern = try pattern(text)
        do throws(Mismatch) {
            try pattern.match(line, learning: &facts)
            return nil
        } catch { return error }
    }

    @Test(
        "accepts what it says, and nothing else",
        arguments: [
            (#"{"a":1}"#, #"{"a":1.0,"new":true}"#, #"{"a":2}"#),
            (#"{"a":"x"}"#, #"{"a":"x"}"#, #"{"a":"y"}"#),
            (#"{"a":{"$any":true}}"#, #"{"a":[]}"#, #"{}"#),
            (#"{"a":{"$absent":true}}"#, #"{"a":null}"#, #"{"a":0}"#),
            (#"{"a":null}"#, #"{}"#, #"{"a":0}"#),
            (#"{"a":{"$is":"date"}}"#, #"{"a":"2026-03-01T20:15:00Z"}"#, #"{"a":"tomorrow"}"#),
            (#"{"a":{"$is":"integer"}}"#, #"{"a":3.0}"#, #"{"a":3.5}"#),
            (#"{"a":{"$number":5,"within":0.5}}"#, #"{"a":5.5}"#, #"{"a":5.6}"#),
            (#"{"a":{"$number":5,"plus":-1}}"#, #"{"a":4}"#, #"{"a":5}"#),
            (#"{"a":{"$number":true}}"#, #"{"a":7}"#, #"{"a":"7"}"#),
            (#"{"a":{"$number":{"$var":"five"},"plus":1}}"#, #"{"a":6}"#, #"{"a":5}"#),
            (#"{"a":{"$var":"five"}}"#, #"{"a":5}"#, #"{"a":6}"#),
            (#"{"a":{"$not":{"$var":"five"}}}"#, #"{"a":6}"#, #"{"a":5}"#),
            (#"{"a":{"$oneOf":[1,"x"]}}"#, #"{"a":"x"}"#, #"{"a":2}"#),
            (#"{"a":[1,{"$any":true}]}"#, #"{"a":[1,2]}"#, #"{"a":[1]}"#),
            (#"{"a":{"b":{"c":true}}}"#, #"{"a":{"b":{"c":true}}}"#, #"{"a":{"b":{}}}"#),
        ])
    func accepts(_ text: String, _ good: String, _ bad: String) throws {
        var facts = Facts(variables: ["five": .integer(5)])
        #expect(try departs(text, good, &facts) == nil)
        let mismatch = try #require(try departs(text, bad, &facts))
        #expect(mismatch.path.hasPrefix("payload.a"))
    }

    @Test("learns a variable once, and nothing from a line that does not match")
    func learns() throws {
        var facts = Facts()
        #expect(try departs(#"{"a":{"$var":"x"},"b":1}"#, #"{"a":7,"b":2}"#, &facts) != nil)
        #expect(facts.variables["x"] == nil)
        #expect(try departs(#"{"a":{"$var":"x"}}"#, #"{"a":7}"#, &facts) == nil)
        #expect(try departs(#"{"a":{"$var":"x"}}"#, #"{"a":8}"#, &facts) != nil)
    }

    private func state(_ time: Double, at second: Double, playing: Bool = true) -> String {
        let date = WireDate(milliseconds: 1_772_396_100_000 + Int64(second * 1_000)).iso8601
        return #"{"currentTime":\#(time),"serverDate":"\#(date)","isPlaying":\#(playing),"duration":30}"#
    }

    @Test(
        "knows by an anchor where the film is at another date",
        arguments: [
            (true, 0, 13.0, nil), (true, 0, 13.2, "13 ± 0.05"), (true, 4, 17.0, nil), (true, 100, 30, nil),
            (true, -100, 0, nil), (false, 0, 10, nil), (false, 0, 13, "10"), (false, 2, 12, nil),
        ] as [(Bool, Double, Double, String?)])
    func anchors(_ isPlaying: Bool, _ plus: Double, _ got: Double, _ expected: String?) throws {
        var facts = Facts()
        let named = #"{"currentTime":{"$number":10,"anchor":"p"}}"#
        #expect(try departs(named, state(10, at: 1, playing: isPlaying), &facts) == nil)
        let follows = #"{"currentTime":{"$follows":"p","plus":\#(plus),"within":0.05}}"#
        let mismatch = try departs(follows, state(got, at: 4), &facts)
        #expect((mismatch == nil) == (expected == nil), "\(String(describing: mismatch))")
    }

    @Test("a number that has no room for six decimals is a mismatch like any other")
    func hugeNumbers() throws {
        var facts = Facts()
        let mismatch = try departs(#"{"a":{"$number":1e308,"plus":1e308}}"#, #"{"a":1e308}"#, &facts)
        #expect(mismatch?.got == "1e+308")
        #expect(try departs(#"{"a":{"$number":1}}"#, #"{"a":-1.7e308}"#, &facts) != nil)
    }

    @Test("knows a revision at the end of all numbers")
    func lastRevision() {
        for revision in [Int.max, .min] {
            let film = FilmFacts(
                sessionID: "s", revision: revision, title: "", digest: "", duration: 1, cueCount: 0, chunks: 0,
                tracks: [],
                cueStarts: [], hasVolume: false)
            #expect(Facts(of: film).variables["revision"] == .integer(revision))
        }
    }

    @Test("needs an anchor that has been named")
    func unknownAnchor() throws {
        var facts = Facts()
        let mismatch = try departs(#"{"currentTime":{"$follows":"p"}}"#, state(10, at: 1), &facts)
        #expect(mismatch?.expected == "anchor p, which is not known yet")
    }
}
