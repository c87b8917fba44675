internal import AudioEngine
internal import TerminalUI

/// What was found on this machine, before anything is made of it.
struct Findings: Equatable {
    enum Discovery: Equatable {
        case ready
        case unavailable(reason: String)
        /// Nothing was heard of the daemon in time.
        case silent
    }

    enum Library: Equatable {
        /// No film has been opened here yet.
        case none
        case readable(films: Int)
        case unreadable(Failure)
    }

    enum Port: Equatable {
        case free
        /// Another allspeak-host of that name serves remotes there.
        case host(name: String)
        /// Another program has it.
        case taken
        case refused(reason: String)
    }

    var sound: PulseSurvey.Outcome
    var discovery: Discovery
    /// The library's folder.
    var folder: String
    /// Why nothing can be written there; `nil` where it can.
    var folderRefusal: String?
    var library: Library
    /// `nil` where the system does not tell.
    var freeBytes: Int?
    var port: Port
    /// FFmpeg's names of decoders that films need and that are not there.
    var missingDecoders: [String]
}
