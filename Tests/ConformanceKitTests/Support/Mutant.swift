import Conformance
import LinuxSystem
import Testing
import WireProtocol

/// A host that is broken on purpose: the real one, with hands on the lines that go in and out.
struct Mutant: CustomTestStringConvertible, Sendable {
    /// What the hands remember.
    final class Memory: Sendable {
        private let words = Guarded<[String: [String]]>([:])

        func list(_ key: String) -> [String] { words.withLock { $0[key] ?? [] } }
        func add(_ word: String, to key: String) { words.withLock { $0[key, default: []].append(word) } }
        func take(_ key: String) -> [String] { words.withLock { $0.removeValue(forKey: key) ?? [] } }
    }

    typealias Hand = @Sendable (JSONValue, VirtualTrial.Said, Memory) -> [VirtualTrial.Said]

    var name: String
    /// The recording that has to fail.
    var recording: String
    /// The section that the failure names.
    var section: String
    /// A part of what the failure says was expected.
    var expected: String
    var host: Hand = { _, said, _ in [said] }
    var remote: Hand?

    var testDescription: String { name }

    /// The connection that brings the host into its state; the mutant leaves it alone.
    private static let preparing = 0

    /// The check of its recording.
    func check() -> Check? {
        let memory = Memory()
        let hostHand = Self.hand(host, memory)
        return replayed(
            RecordingFolder.named([recording]), hostHand: hostHand, remoteHand: remote.map { Self.hand($0, memory) }
        ).first
    }

    private static func hand(_ hand: @escaping Hand, _ memory: Memory) -> VirtualTrial.Hand {
        { said in
            guard said.connection != preparing, let frame = try? JSONReader.value(of: said.line) else { return [said] }
            return hand(frame, said, memory)
        }
    }
}

extension JSONValue {
    var text: String { Pattern.text(of: self) }
    var kind: String { self["kind"]?.stringValue ?? "" }
    /// Not an answer.
    var isPush: Bool { self["re"] == nil }
    /// The name of the command.
    var command: String? { kind == "command" ? self["payload"]?["kind"]?.stringValue : nil }

    /// The value with another at a path of keys, or none.
    func setting(_ path: String..., to new: JSONValue?) -> JSONValue { setting(path[...], to: new) }

    private func setting(_ path: ArraySlice<String>, to new: JSONValue?) -> JSONValue {
        guard let key = path.first, case .object(var members) = self else { return new ?? .null }
        let old = members.last { $0.key == key }?.value
        members.removeAll { $0.key == key }
        if path.count > 1 {
            members.append(.init(key, (old ?? .object([])).setting(path.dropFirst(), to: new)))
        } else if let new {
            members.append(.init(key, new))
        }
        return .object(members)
    }

    /// The line with this in its place.
    func said(_ said: VirtualTrial.Said) -> [VirtualTrial.Said] { [.init(Array(text.utf8), on: said.connection)] }
}
