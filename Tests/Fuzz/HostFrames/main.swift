import FuzzKit
import WireProtocol

func isSame(_ left: HostMessage, _ right: HostMessage) -> Bool {
    switch (left, right) {
    case (.ping(let left), .ping(let right)): return isSame(left, right)
    case (.pong(let left), .pong(let right)):
        // A payload that is no object travels as a member of one.
        var payload = left.payload
        if case .object = payload {} else { payload = .object([.init("payload", payload)]) }
        return isSame(payload, right.payload) && left.serverDate == right.serverDate
    default: return left == right
    }
}

func mustBeFilmTime(_ seconds: Double...) {
    for seconds in seconds { must(abs(seconds) <= Limits.filmSeconds, "a film time is within the limit") }
}

func check(_ frame: HostFrame) {
    switch frame.message {
    case .metadata(let metadata): mustBeFilmTime(metadata.currentTime, metadata.duration)
    case .snapshot(let snapshot):
        mustBeFilmTime(snapshot.currentTime, snapshot.duration)
        must(snapshot.volume.map { (0...1).contains($0) } ?? true, "a volume is 0 to 1")
    case .cueChunk(let chunk): must((0..<chunk.totalChunks).contains(chunk.index), "a chunk is one of its number")
    case .error(let error): mustBeSafe(error.message, "an error's message")
    // Its kind is not kept, so it cannot be written again.
    case .unknown: return
    case .hello, .sessionEnded, .schema, .ping, .pong, .goodbye: break
    }
    let line = frame.message.line(re: frame.re, id: frame.id)
    mustBeOneLine(line)
    let back = mustNotThrow("what is written can be read") { () throws(WireError) in
        try HostFrame(line: line.dropLast())
    }
    must(back.re == frame.re && back.id == frame.id, "ids read back as they were written")
    must(isSame(frame.message, back.message), "a message reads back as it was written")
}

fuzz { input in
    if let frame = try? HostFrame(line: input) { check(frame) }
}
