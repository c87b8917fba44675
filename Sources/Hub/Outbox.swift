internal import WireProtocol

/// What waits to be sent on one connection: replies in order, and of each push only the newest.
///
/// A peer that does not read costs its unread replies (bounded) and one line of each push, whatever happens meanwhile.
package struct Outbox: Sendable {
    private var replies: [UInt8] = []
    /// Goes out before the metadata of a session that has begun since.
    private var sessionEnded: [UInt8]?
    private var metadata: [UInt8]?
    private var snapshot: [UInt8]?
    /// Cue chunk lines, shared by all connections, and how far this one has got.
    private var cueLines: [[UInt8]] = []
    private var nextCueLine = 0

    package init() {}

    /// False once the peer has left more replies unread than it may.
    package mutating func reply(_ line: [UInt8]) -> Bool {
        replies += line
        return replies.count <= Limits.unreadReplyBytes
    }

    /// Replaces metadata that has not gone out yet.
    package mutating func push(metadata line: [UInt8]) {
        metadata = line
    }

    /// Replaces a snapshot that has not gone out yet.
    package mutating func push(snapshot line: [UInt8]) {
        snapshot = line
    }

    /// The session is over: nothing about it that still waits is true any more.
    package mutating func pushSessionEnded(_ line: [UInt8]) {
        dropPushes()
        sessionEnded = line
    }

    package mutating func push(cues lines: [[UInt8]]) {
        cueLines = lines
        nextCueLine = 0
    }

    /// Drops what nobody asked for: the connection is to end once its replies are out.
    package mutating func dropPushes() {
        sessionEnded = nil
        metadata = nil
        snapshot = nil
        cueLines = []
    }

    package var isEmpty: Bool {
        replies.isEmpty && sessionEnded == nil && metadata == nil && snapshot == nil && nextCueLine >= cueLines.count
    }

    /// The next bytes to write: everything short at once, cue chunks one by one so that a reply never waits for them.
    package mutating func next() -> [UInt8]? {
        if replies.isEmpty, sessionEnded == nil, metadata == nil, snapshot == nil {
            guard nextCueLine < cueLines.count else { return nil }
            defer { nextCueLine += 1 }
            return cueLines[nextCueLine]
        }
        var batch = replies
        replies = []
        if let sessionEnded { batch += sessionEnded }
        if let metadata { batch += metadata }
        if let snapshot { batch += snapshot }
        sessionEnded = nil
        metadata = nil
        snapshot = nil
        return batch
    }
}
