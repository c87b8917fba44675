internal import WireProtocol

extension StandingRules {
    struct Shape: Sendable {
        var pattern: Pattern
        /// Where the kind is described.
        var section: String
    }

    /// The keys that a host's line of that kind always has; `nil` where there are none.
    ///
    /// Made anew each time: the leak sanitizer cannot follow the pointers of a recursive enumeration, which carry bits of
    /// their case, and takes a table of them for lost.
    static func shape(ofKind kind: String) -> Shape? {
        switch kind {
        case "hello":
            shape(
                ("protocol", .kind(.integer)), ("host", .object([text("id"), text("name"), text("software")])),
                ("serverDate", .kind(.date)), ("features", .kind(.array)), ("auth", .kind(.text)))
        case "metadata":
            shape(
                ("sessionID", .kind(.text)), ("revision", .kind(.integer)), ("title", .kind(.text)),
                ("duration", .kind(.number)), ("cueCount", .kind(.integer)), ("cueDigest", .kind(.text)),
                ("isPlaying", .kind(.boolean)), ("currentTime", .kind(.number)), ("serverDate", .kind(.date)),
                ("tracks", .kind(.array)))
        case "snapshot":
            shape(
                ("sessionID", .kind(.text)), ("revision", .kind(.integer)), ("currentTime", .kind(.number)),
                ("duration", .kind(.number)), ("currentIndex", .kind(.integer)), ("isPlaying", .kind(.boolean)),
                ("serverDate", .kind(.date)))
        case "cueChunk":
            shape(
                ("sessionID", .kind(.text)), ("revision", .kind(.integer)), ("index", .kind(.integer)),
                ("totalChunks", .kind(.integer)), ("data", .kind(.text)))
        case "error": shape(("code", .kind(.text)), ("message", .kind(.text)))
        case "pong": shape(("serverDate", .kind(.date)))
        default: nil
        }
    }

    private static func text(_ key: String) -> Pattern.Member { Pattern.Member(key, .kind(.text)) }

    private static func shape(_ members: (String, Pattern)...) -> Shape {
        let payload = Pattern.object(members.map { Pattern.Member($0.0, $0.1) })
        return Shape(pattern: .object([Pattern.Member("payload", payload)]), section: "§5")
    }
}
