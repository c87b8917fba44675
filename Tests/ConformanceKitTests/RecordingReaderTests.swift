import Conformance
import Testing

@Suite("A recording")
struct RecordingReaderTests {
    private static let header = #"{"recording":1,"name":"a-name","about":"About.","section":"§6"}"#

    private func fault(_ text: String) -> RecordingError? {
        do throws(RecordingError) {
            _ = try Recording(reading: Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test(
        "of this project is read, and written again as the same recording",
        arguments: RecordingFolder.files.keys.sorted())
    func identity(_ name: String) throws {
        let bytes = try #require(RecordingFolder.files[name])
        let recording = try Recording(reading: bytes)
        let again = try Recording(reading: recording.file)
        #expect(again.lines.map(\.step) == recording.lines.map(\.step))
        #expect(again.lines.map(\.at) == recording.lines.map(\.at))
        #expect((again.film, again.start.track) == (recording.film, recording.start.track))
        #expect(again.start == recording.start && again.isLong == recording.isLong)
        #expect("\(recording.name).jsonl" == name)
    }

    @Test(
        "needs a header that says what it is",
        arguments: [
            ("", "the header is missing"),
            ("{}", "the first line is no header"),
            (#"{"recording":2,"name":"a","about":"b","section":"§1"}"#, "newer"),
            (#"{"recording":1,"name":"A b","about":"b","section":"§1"}"#, "lower-case"),
            (#"{"recording":1,"name":"a","section":"§1"}"#, "about is missing"),
            (#"{"recording":1,"name":"a","about":"b","section":"6"}"#, "begins with §"),
            (#"{"recording":1,"name":"a","about":"b","section":"§1","film":{"trakcs":2}}"#, "there is no key trakcs"),
            (
                #"{"recording":1,"name":"a","about":"b","section":"§1","start":{"position":"middle"}}"#,
                "position is no number"
            ),
            ("[1]", "not a JSON object"), ("{\"recording\":", "not JSON at byte"),
        ])
    func headers(_ text: String, _ reason: String) throws {
        let error = try #require(fault(text))
        #expect(error.line == 1)
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test(
        "tells of a faulty line where it is and what is wrong",
        arguments: [
            (#"{"on":"a","does":"connect"}"#, "at is missing"),
            (#"{"at":-1,"on":"a","does":"connect"}"#, "at is missing"),
            (#"{"at":0,"does":"connect"}"#, "on is missing"),
            (#"{"at":0,"on":"a","does":"dance"}"#, "does takes"),
            (#"{"at":0,"on":"a","does":"connect","sends":{"kind":"ping"}}"#, "one of"),
            (#"{"at":0,"on":"a"}"#, "one of"),
            (#"{"at":0,"on":"b","does":"disconnect"}"#, "b is not connected"),
            (#"{"at":0,"on":"a","sends":[]}"#, "sends takes a frame"),
            (#"{"at":0,"on":"a","sendsBytes":7}"#, "bytes are"),
            (#"{"at":0,"on":"a","sendsBytes":{"base64":"?"}}"#, "base64 is not"),
            (#"{"at":0,"on":"a","hears":{"payload":{}}}"#, "has a kind"),
            (
                #"{"at":0,"on":"a","hears":{"kind":"snapshot","payload":{"currentTime":{"$nubmer":1}}}}"#,
                "there is no matcher $nubmer"
            ),
            (#"{"at":0,"on":"a","hears":{"kind":"x","payload":{"a":{"$any":true,"$absent":true}}}}"#, "stands alone"),
            (#"{"at":0,"on":"a","hears":{"kind":"x","payload":{"a":{"$number":1,"with":2}}}}"#, "not with"),
            (#"{"at":0,"on":"a","hears":{"kind":"x","payload":{"a":{"$is":"colour"}}}}"#, "$is takes one of"),
            (#"{"at":0,"on":"a","hears":{"kind":"x","payload":{"a":{"$follows":1}}}}"#, "name of an anchor"),
            (#"{"at":0,"on":"a","never":{"kind":"x"}}"#, "never needs for"),
            (#"{"at":0,"stage":"lose-output"}"#, "array of words"),
            (#"{"at":0,"on":"a","sends":{"kind":"ping","id":{"$var":"nobody"}}}"#, "nobody is sent"),
            (#"{"at":0,"on":"a","hears":{"kind":"x"},"optoinal":true}"#, "there is no key optoinal"),
            (#"{"at":0,"on":"a","does":"connect"}"#, "a is connected already"),
        ])
    func lines(_ line: String, _ reason: String) throws {
        let isSecond = reason.contains("already")
        let first =
            reason == "on is missing" || reason == "at is missing" && !isSecond
            ? "" : #"{"at":0,"on":"a","does":"connect"}"#
        let error = try #require(fault([Self.header, first, line].joined(separator: "\n")))
        #expect(error.line == 3)
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test("may hold notes and empty lines")
    func notes() throws {
        let text = [Self.header, "", #"{"note":"Why."}"#, #"{"at":1,"on":"a","does":"connect"}"#].joined(
            separator: "\n")
        let recording = try Recording(reading: Array(text.utf8))
        #expect(recording.lines.map(\.number) == [4])
    }

    @Test("makes no more bytes of a line than a runner can hold")
    func largest() {
        let part = Utterance.repeated(.text("x"), times: 1 << 20)
        #expect(part.encoded(Facts(), remoteClock: 0)?.count == 1 << 20)
        #expect(Utterance.repeated(part, times: 2).encoded(Facts(), remoteClock: 0) == nil)
    }
}
