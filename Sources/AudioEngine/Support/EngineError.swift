/// Why a track cannot be played.
package struct EngineError: Error, Equatable, Sendable {
    package enum Fault: Error, Equatable, Sendable {
        case missing
        case unreadable(String)
        case notAudio
        case noAudioStream
        /// The file promises more than it holds.
        case truncated
        case cannotDecode(String)
        case unknownTrack
        case noThread(String)
    }

    package var trackID: String
    package var path: String
    package var fault: Fault

    package init(trackID: String, path: String, fault: Fault) {
        self.trackID = trackID
        self.path = path
        self.fault = fault
    }

    /// What is wrong with which file, in one sentence without the final stop.
    package var sentence: String {
        switch fault {
        case .unknownTrack: "no track is called \(trackID)"
        case .noThread: fault.reason
        default: "\(path): \(fault.reason)"
        }
    }
}

extension EngineError.Fault {
    /// What is wrong, without the file's name and the final stop.
    package var reason: String {
        switch self {
        case .missing: "there is no such file"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .notAudio: "not an audio file"
        case .noAudioStream: "holds no sound"
        case .truncated: "the end of the file is missing"
        case .cannotDecode(let reason): "cannot be decoded: \(reason)"
        case .unknownTrack: "no such track"
        case .noThread(let reason): "the sound thread cannot start: \(reason)"
        }
    }
}
