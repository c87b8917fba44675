import Testing
import WireProtocol

@Suite("The id that a reply carries back")
struct MessageIDTests {
    private func frame(id: String) -> RemoteFrame {
        RemoteFrame(line: Array(#"{"kind":"ping","id":\#(id)}"#.utf8))
    }

    @Test(
        "is an integer or a text of at most 128 bytes",
        arguments: [
            ("7", MessageID.integer(7)), ("0", .integer(0)), ("-1", .integer(-1)),
            ("9223372036854775807", .integer(.max)),
            ("\"\"", .text("")), ("\"7\"", .text("7")), ("\"a\\n\\u00e9\"", .text("a\né")),
            ("\"\(String(repeating: "é", count: 64))\"", .text(String(repeating: "é", count: 64))),
        ])
    func accepted(id: String, expected: MessageID) {
        #expect(frame(id: id) == RemoteFrame(id: expected, content: .success(.ping(.object([])))))
    }

    @Test("may be missing, which null is too")
    func missing() {
        #expect(frame(id: "null") == RemoteFrame(id: nil, content: .success(.ping(.object([])))))
    }

    @Test(
        "of any other kind makes the frame malformed",
        arguments: [
            "1.5", "7.0", "1e3", "9223372036854775808", "true", "[]", "{}", "\"\(String(repeating: "é", count: 64))x\"",
        ])
    func refused(id: String) {
        let frame = frame(id: id)
        #expect(frame.id == nil)
        guard case .failure(let error) = frame.content else { return #expect(Bool(false), "\(id) was accepted") }
        #expect(error.code == .malformed)
    }

    @Test("comes back as re, in the form it had")
    func comesBack() {
        let error = HostMessage.error(WireError(.noSession, "None."))
        let payload = #""payload":{"code":"noSession","message":"None."}}"# + "\n"
        #expect(error.line(re: .integer(7)).text == #"{"kind":"error","re":7,"# + payload)
        #expect(error.line(re: .text("7")).text == #"{"kind":"error","re":"7","# + payload)
        #expect(error.line().text == #"{"kind":"error","# + payload)
    }
}
