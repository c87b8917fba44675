import Foundation
import TestKit
import Testing

/// One line of `Protocol/vectors`: bytes, and what a reader makes of them.
struct Vector: CustomTestStringConvertible, Sendable {
    enum Sender: String { case host, remote }

    enum Expectation: Equatable {
        case message(JSON)
        case error(code: String, re: JSON)
        case passedOver
    }

    var file: String
    var name: String
    var sender: Sender
    /// The bytes, cut as they are to be fed.
    var pieces: [[UInt8]]
    var expectations: [Expectation]
    var closes: Bool
    var isFirst: Bool
    var isOfConnection: Bool
    /// Whether the schema accepts the line.
    var conforms: Bool

    var testDescription: String { "\(file): \(name)" }
    var bytes: [UInt8] { pieces.flatMap(\.self) }

    /// All of them.
    static let all: [Vector] = {
        do { return try read() } catch { fatalError("Protocol/vectors: \(error)") }
    }()

    private static func read() throws -> [Vector] {
        let folder = Repository.folder("Protocol/vectors")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jsonl") }
        return try files.sorted().flatMap { file in
            try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
                .map { try Vector(JSON(String($0)), file: file) }
        }
    }

    init(_ json: JSON, file: String) throws {
        func flag(_ key: String) throws -> Bool {
            if json[key] == .null { return false }
            guard let value = json[key].bool else { throw TestFailure("\(file): \(key) of \(json["name"])") }
            return value
        }
        self.file = file
        guard let name = json["name"].text, let sender = json["from"].text.flatMap(Sender.init),
            let expectations = json["expect"].array
        else { throw TestFailure("\(file): \(json)") }
        let known: Set = ["name", "from", "bytes", "feed", "expect", "closes", "first", "layer", "schema"]
        guard known.isSuperset(of: json.object.map { Array($0.keys) } ?? []) else {
            throw TestFailure("\(file), \(name): an unknown key")
        }
        self.name = name
        self.sender = sender
        pieces = try Self.cut(Self.bytes(json["bytes"]), json["feed"])
        self.expectations = try expectations.map(Self.expectation)
        closes = try flag("closes")
        isFirst = try flag("first")
        isOfConnection = json["layer"].text == "connection"
        let isRead = self.expectations.allSatisfy { if case .message = $0 { true } else { false } }
        conforms = json["schema"].text.map { $0 == "valid" } ?? isRead
    }

    private static func expectation(_ json: JSON) throws -> Expectation {
        if case .object = json["message"] { return .message(json["message"]) }
        if let code = json["error"].text { return .error(code: code, re: json["re"]) }
        guard json["passedOver"].bool == true else { throw TestFailure("an unknown result: \(json)") }
        return .passedOver
    }

    private static func bytes(_ json: JSON) throws -> [UInt8] {
        if let text = json.text { return Array(text.utf8) }
        if let parts = json.array { return try parts.flatMap(bytes) }
        if let text = json["base64"].text, let data = Data(base64Encoded: text) { return Array(data) }
        guard let times = json["times"].number.flatMap({ Int(exactly: $0) }) else {
            throw TestFailure("no bytes: \(json)")
        }
        return try Array(repeatElement(bytes(json["repeat"]), count: times).joined())
    }

    private static func cut(_ bytes: [UInt8], _ feed: JSON) throws -> [[UInt8]] {
        var places = (feed["at"].array ?? []).compactMap { $0.number.map(Int.init) }
        if let every = feed["every"].number {
            places = Array(stride(from: Int(every), to: bytes.count, by: Int(every)))
        }
        guard places == places.sorted(), places.allSatisfy({ (1..<bytes.count).contains($0) }) else {
            throw TestFailure("it cannot be cut at \(places)")
        }
        return zip([0] + places, places + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }
}

/// Files of this repository.
enum Repository {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func folder(_ path: String) -> URL { root.appendingPathComponent(path) }
    static func path(_ path: String) -> String { root.appendingPathComponent(path).path }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}
