internal import TerminalUI
internal import WireProtocol

/// How many remotes the descriptors suffice for that the system gives this process.
struct Room: Equatable {
    /// Descriptors for the host itself: library, tracks, sound, announcement, log.
    ///
    /// It has been seen with 33, with two tracks.
    static let ownDescriptors = 64
    /// Below this number of remotes something is wrong with the system's limit, and it is better to say so.
    static let fewestRemotes = 16

    let remotes: Int
    /// For a person, where there are fewer than was asked for.
    let sentence: String?

    /// What to ask the system for.
    static func descriptors(for remotes: Int) -> Int {
        ownDescriptors + remotes + Limits.silentConnections + Limits.closingConnections
    }

    /// Room for the `wanted` remotes, or for fewer where only so many descriptors are `allowed`.
    ///
    /// - Throws: `Failure` with code `unavailable` when there are too few for anything.
    init(wanted: Int, allowed: Int) throws(Failure) {
        guard allowed >= Self.ownDescriptors + min(wanted, Self.fewestRemotes) else {
            throw Failure(
                .unavailable,
                "This process may open only \(allowed) files at once, too few to serve remotes. Allow more: ulimit -n 1024"
            )
        }
        remotes = min(wanted, allowed - Self.ownDescriptors)
        sentence =
            remotes < wanted
            ? "At most \(remotes) remotes at once, since this process may open only \(allowed) files (ulimit -n)." : nil
    }
}
