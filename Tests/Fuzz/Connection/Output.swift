import FuzzKit
import Hub
import WireProtocol

/// Reading what the machine writes, line by line.
extension Walk {
    /// A goodbye and a probe may stand behind the last reply that was within the limit.
    private static let afterLimit = 256

    /// Takes the next bytes as the socket would; false when there are none.
    mutating func read() -> Bool {
        guard let batch = machine.nextOutput() else { return false }
        must(!isDropped, "nothing is written to a dropped peer")
        must(batch.last == 0x0A, "whole lines are written")
        var answerBytes = 0
        for line in batch.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false) {
            must(line.count + 1 <= Limits.frameBytes, "a line is a frame at most")
            let frame = mustNotThrow("a line is a frame") { () throws(WireError) in try HostFrame(line: line) }
            if isPush(frame) { continue }
            answerBytes += line.count + 1
            must(owed.first == meaning(of: frame), "answers come once, in the order of their questions")
            owed.removeFirst()
        }
        must(answerBytes <= Limits.unreadReplyBytes + Self.afterLimit, "what waits is bounded")
        return true
    }

    mutating func readAll() {
        while read() {}
        must(owed.isEmpty, "every answer is written")
    }

    private func isPush(_ frame: HostFrame) -> Bool {
        switch frame.message {
        case .metadata(let metadata) where metadata.sessionID == "push":
            mustBeAllowed(metadata.revision)
        case .snapshot(let snapshot) where snapshot.sessionID == "push":
            mustBeAllowed(snapshot.revision)
        case .cueChunk(let chunk) where chunk.sessionID == "push": mustBeAllowed(nil)
        case .sessionEnded: mustBeAllowed(nil)
        default: return false
        }
        must(frame.re == nil && frame.id == nil, "a push answers nothing")
        return true
    }

    private func mustBeAllowed(_ number: Int?) {
        must(hello != nil, "who never said hello is pushed nothing")
        must(!isClosed, "a closing connection is pushed nothing")
        if let number { must(number <= pushed, "what is pushed was pushed") }
    }

    private func meaning(of frame: HostFrame) -> Owed? {
        switch frame.message {
        case .hello: .greeting
        case .ping: .probe
        case .goodbye: .goodbye
        case .pong, .error, .schema: .answer(frame.re)
        case .snapshot(let snapshot): .reply(snapshot.revision, to: frame.re)
        case .cueChunk(let chunk): .reply(chunk.revision, to: frame.re)
        case .metadata, .sessionEnded, .unknown: nil
        }
    }
}
