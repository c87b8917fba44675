import Testing
import WireProtocol

@Suite("Every message comes back as it was written")
struct MessageRoundTripTests {
    private static let ids: [MessageID?] = [nil, .integer(7), .text("a\"\n")]

    @Test("from a remote", arguments: Samples.remote.indices)
    func fromRemote(sample: Int) {
        let message = Samples.remote[sample]
        for id in Self.ids {
            let line = message.line(id: id)
            #expect(RemoteFrame(line: line.dropLast()) == RemoteFrame(id: id, content: .success(Self.cleaned(message))))
        }
    }

    @Test("from a host", arguments: (Samples.host + Samples.errors).indices)
    func fromHost(sample: Int) throws {
        let message = (Samples.host + Samples.errors)[sample]
        for re in Self.ids {
            for id in Self.ids {
                let line = message.line(re: re, id: id)
                #expect(try HostFrame(line: line.dropLast()) == HostFrame(re: re, id: id, message: message))
            }
        }
    }

    @Test("each is one line that fits a frame and ends in its only line feed")
    func oneLine() {
        for line in Samples.remote.map({ $0.line() }) + (Samples.host + Samples.errors).map({ $0.line() }) {
            #expect(line.last == 0x0A)
            #expect(line.filter { $0 == 0x0A }.count == 1)
            #expect(line.count <= Limits.frameBytes)
        }
    }

    @Test(
        "no position, however small, is written with an exponent",
        arguments: [
            (1e-6, "0.000001"), (0.000_05, "0.00005"), (35_999.999_999, "35999.999999"), (3_600, "3600"),
            (1e-9, "0.000000001"),
        ])
    func positions(position: Double, text: String) {
        let snapshot = Snapshot(
            sessionID: "S", revision: 1, currentTime: position, duration: 36_000, currentIndex: 0, isPlaying: true,
            serverDate: Samples.date)
        let seek = RemoteMessage.command(.seek(time: position))
        #expect(HostMessage.snapshot(snapshot).line().text.contains("\"currentTime\":\(text),"))
        #expect(seek.line().text.contains("\"time\":\(text)}"))
    }

    @Test("an unknown key, wherever it stands, changes nothing", arguments: Samples.host.indices)
    func unknownKeys(sample: Int) throws {
        let message = Samples.host[sample]
        if case .pong = message { return }
        if case .ping = message { return }
        let line = message.line().dropLast()
        let value = try JSONReader.value(of: line)
        let grown = written { $0.value(Self.grown(value)) }
        #expect(try HostFrame(line: Array(grown.utf8)) == HostFrame(message: message))
    }

    /// Adds a member that no version knows to every object.
    private static func grown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            let inner = members.map { JSONValue.Member($0.key, grown($0.value)) }
            return .object([.init("later", .object([.init("kind", .string("x"))]))] + inner)
        case .array(let elements): return .array(elements.map(grown))
        default: return value
        }
    }

    /// A remote's name is made safe for a terminal as it is read.
    private static func cleaned(_ message: RemoteMessage) -> RemoteMessage {
        guard case .hello(var hello) = message else { return message }
        hello.remoteName = SafeText.line(hello.remoteName, maximumCharacters: Limits.nameCharacters)
        return .hello(hello)
    }
}
