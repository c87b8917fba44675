import FuzzKit
import RemoteCore
import WireProtocol

/// What the host of a walk says: lines true to the protocol, of two sessions.
enum Host {
    static let sessions = ["film", "other"]
    static let cues: [[Cue]] = [[], few, many]

    private static let few = (0..<3).map { Cue(index: $0 + 1, start: Double($0), end: Double($0) + 1, text: "\($0)") }
    private static let many = (0..<40).map { place in
        Cue(index: place + 1, start: Double(place), end: Double(place) + 1, text: "Line \(place * 7_919) of a film")
    }
    /// Bundles cut far below the limit, so that most of an input's time is not spent on base 64.
    private static let chunkBytes = 150
    static let chunks: [[[CueChunk]]] = sessions.map { session in
        cues.map { cues in
            let gzip = Gzip.compress(CueBundle(sessionID: session, revision: 1, cues: cues).json)
            let starts = Array(stride(from: 0, to: gzip.count, by: chunkBytes))
            return starts.enumerated().map { index, start in
                CueChunk(
                    sessionID: session, revision: 1, index: index, totalChunks: starts.count,
                    data: Array(gzip[start..<min(gzip.count, start + chunkBytes)]))
            }
        }
    }
    static let digests = cues.map(CueBundle.digest)

    /// Written again without its exponent each number has 301 digits.
    static let growingPing: [UInt8] = {
        let numbers = Array(repeating: "1e300", count: 250).joined(separator: ",")
        return Array((#"{"kind":"ping","payload":[\#(numbers)]}"# + "\n").utf8)
    }()

    /// Around an arbitrary date, a choice of milliseconds away from it.
    static func date(_ choices: inout Choices) -> WireDate {
        WireDate(milliseconds: 1_790_000_000_000 + 100 * Int64(choices.length()))
    }

    static func metadata(_ choices: inout Choices) -> HostMessage {
        let kind = choices.below(cues.count)
        return .metadata(
            SessionMetadata(
                sessionID: choices.one(of: sessions), revision: choices.one(of: [1, 1, 1, 2]), title: "F\u{1B}[2Jilm",
                duration: Double(choices.below(4)) * 40, cueCount: cues[kind].count, cueDigest: digests[kind],
                isPlaying: choices.flag(), currentTime: Double(choices.byte()) / 2, serverDate: date(&choices),
                tracks: [.init(id: "a", label: "\u{202E}A"), .init(id: "b", label: "B")],
                activeTrackID: choices.one(of: [nil, "a", "b"]), by: choices.one(of: [nil, "Phone"])))
    }

    static func snapshot(_ choices: inout Choices) -> HostMessage {
        .snapshot(
            Snapshot(
                sessionID: choices.one(of: sessions), revision: choices.one(of: [1, 1, 1, 2]),
                currentTime: Double(choices.byte()) / 2, duration: Double(choices.below(4)) * 40,
                currentIndex: choices.below(3), isPlaying: choices.flag(), serverDate: date(&choices),
                activeTrackID: choices.one(of: [nil, "a", "b"]), volume: choices.one(of: [nil, 0, 0.5, 1]),
                output: choices.flag() ? .init(name: "\u{7}Out", isPresent: choices.flag()) : nil))
    }

    static func chunk(_ choices: inout Choices) -> HostMessage {
        .cueChunk(choices.one(of: choices.one(of: choices.one(of: chunks))))
    }

    /// All chunks of a session's cues, as the host pushes them.
    static func push(_ choices: inout Choices) -> [HostMessage] {
        choices.one(of: choices.one(of: chunks)).map(HostMessage.cueChunk)
    }

    static func other(_ choices: inout Choices) -> HostMessage {
        switch choices.below(8) {
        case 0: .sessionEnded
        case 1: .error(WireError(choices.one(of: WireError.Code.allCases), "no\u{1B}"))
        case 2: .ping(.object([.init("t", .integer(1))]))
        case 3: .goodbye(choices.one(of: [.shutdown, .finished, .timeout, .other("full")]))
        case 4: .pong(Pong(payload: .object([.init("ping", .integer(choices.below(40)))]), serverDate: date(&choices)))
        case 5: .unknown(kind: "later")
        default: hello(&choices)
        }
    }

    static func hello(_ choices: inout Choices) -> HostMessage {
        .hello(
            HostHello(
                protocolVersion: choices.below(32) == 31 ? 2 : 1, hostID: choices.one(of: ["h", "h", "h", "i"]),
                hostName: "L\u{202E}aptop", software: "fuzz", serverDate: date(&choices), features: [],
                authentication: .none))
    }
}
