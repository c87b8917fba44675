import Playback
import WireProtocol

/// The states in which every command and every engine event is tried; all stand at 1000 s of steady time.
enum Situation: String, CaseIterable, Sendable {
    case idle
    /// Paused at 10 s.
    case paused
    /// Paused, a seek from 10 to 40 s not confirmed.
    case pausedSeeking
    /// Playing, 10 s reached.
    case playing
    /// Playing, a seek from 10 to 40 s not confirmed.
    case playingSeeking
    /// Paused at 10 s, the switch to `dub` asked for by `earlier`.
    case pausedSwitching
    /// Playing, 10 s reached, the switch to `dub` asked for by `earlier`.
    case playingSwitching
    /// The last sample of 100 s has been heard.
    case atEnd
    /// The device went away at 10 s while playing.
    case outputAbsent
    /// The sound failed at 10 s while playing.
    case soundFailed

    static let earlier = Asker(connection: 1, message: .integer(1))

    var rig: Rig {
        var rig = Rig()
        if self == .idle { return rig }
        rig.open(at: 10)
        switch self {
        case .idle, .paused: break
        case .pausedSeeking: rig.command(.seek(time: 40))
        case .playing: rig.playToTen()
        case .playingSeeking:
            rig.playToTen()
            rig.command(.seek(time: 40))
        case .pausedSwitching: rig.command(.switchTrack(trackID: "dub"), asker: Self.earlier)
        case .playingSwitching:
            rig.playToTen()
            rig.command(.switchTrack(trackID: "dub"), asker: Self.earlier)
        case .atEnd:
            rig.command(.seek(time: 98))
            rig.command(.play)
            rig.event(.ended(epoch: rig.epoch))
        case .outputAbsent:
            rig.playToTen()
            rig.event(.outputLost(epoch: rig.epoch, position: 10, reason: "unplugged"))
        case .soundFailed:
            rig.playToTen()
            rig.event(.failed(epoch: rig.epoch, reason: "unreadable"))
        }
        return rig
    }
}
