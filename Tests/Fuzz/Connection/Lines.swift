import FuzzKit
import WireProtocol

/// Lines a remote sends, so that the fuzzer need not find them letter by letter.
enum Line {
    static let all: [[UInt8]] = [
        #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"r1","name":"Phone"}}}"#,
        #"{"kind":"hello","id":0,"payload":{"protocol":1,"remote":{"id":"r2"},"cues":{"sessionID":"s","digest":"d"}}}"#,
        #"{"kind":"command","id":1,"payload":{"kind":"play"}}"#,
        #"{"kind":"command","payload":{"kind":"pause"}}"#,
        #"{"kind":"command","id":"x","payload":{"kind":"requestCueChunk","sessionID":"s","revision":1,"index":0}}"#,
        #"{"kind":"ping","id":2,"payload":{"t":5}}"#,
        #"{"kind":"ping","payload":"\#(String(repeating: "x", count: 30_000))"}"#,
        #"{"kind":"ping","id":3,"payload":[\#(Array(repeating: "1e300", count: 300).joined(separator: ","))]}"#,
        #"{"kind":"pong","payload":{}}"#,
        #"{"kind":"goodbye","payload":{"reason":"finished"}}"#,
        #"{"kind":"hello","payload":{"protocol":2,"remote":{"id":"r1"}}}"#,
        #"{"kind":"hello","payload":{}}"#,
        #"{"kind":"dance","id":3}"#,
        #"{"kind":"command","id":4,"payload":{"kind":"seek"}}"#,
        "{nonsense", "", " ", "GET / HTTP/1.1",
        #"{"kind":"command","id":5,"payload":{"kind":"describe"}}"#,
        #"{"kind":"command","payload":{"kind":"describe","name":"common.json"}}"#,
    ].map { Array($0.utf8) + [0x0A] }

    static func pushed(metadata number: Int) -> [UInt8] {
        HostMessage.metadata(
            SessionMetadata(
                sessionID: "push", revision: number, title: "Film", duration: 10, cueCount: 0, cueDigest: "",
                isPlaying: false, currentTime: 0, serverDate: WireDate(milliseconds: 0), tracks: [])
        ).line()
    }

    static func snapshot(_ session: String, _ number: Int) -> HostMessage {
        .snapshot(
            Snapshot(
                sessionID: session, revision: number, currentTime: 0, duration: 10, currentIndex: 0, isPlaying: false,
                serverDate: WireDate(milliseconds: 0)))
    }

    /// As long as a frame of a host gets.
    static func chunk(_ session: String, _ number: Int) -> HostMessage {
        .cueChunk(
            CueChunk(
                sessionID: session, revision: number, index: 0, totalChunks: 1,
                data: [UInt8](repeating: 7, count: Limits.cueChunkBytes)))
    }
}
