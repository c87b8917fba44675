/// What was wrong with a frame or a command, as told to the peer.
package struct WireError: Error, Equatable, Sendable {
    /// The closed list of `Protocol/README.md`; a reader treats an unknown code as `internal`.
    package enum Code: String, CaseIterable, Sendable {
        case malformed, unknownKind, unknownCommand, invalidArgument, noSession, staleRevision, chunkOutOfRange
        case unknownTrack, trackFailed, outputLost, unauthorized, frameTooLarge, tooManyRequests
        case unsupportedProtocol, `internal`
    }

    package var code: Code
    /// One sentence for a person.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
