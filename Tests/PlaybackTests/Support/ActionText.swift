import Playback
import WireProtocol

/// The asker of the command under test.
let asker = Asker(connection: 7, message: .text("q"))

/// Actions as one line of a table: `locate#3→40 playing, save 40, sought 10→40, push, ok`.
func text(_ actions: [TransportAction]) -> String {
    actions.isEmpty ? "-" : actions.map(text).joined(separator: ", ")
}

private func text(_ action: TransportAction) -> String {
    switch action {
    case .engine(let request): text(request)
    case .reply(let to, let error):
        (to == asker ? "" : to == Situation.earlier ? "earlier " : "stranger ") + (error?.code.rawValue ?? "ok")
    case .changed(let change):
        change == [.metadata, .snapshot] ? "push" : change == .snapshot ? "snapshot" : "metadata"
    case .save(let state):
        "save \(short(state.position))" + (state.activeTrackID == "orig" ? "" : " " + state.activeTrackID)
    case .note(let note): text(note)
    }
}

private func text(_ request: EngineRequest) -> String {
    switch request {
    case .locate(let epoch, let position, let playing): "locate#\(epoch)→\(short(position))\(playing ? " playing" : "")"
    case .play(let epoch): "play#\(epoch)"
    case .pause(let epoch): "pause#\(epoch)"
    case .switchTrack(let epoch, let trackID): "switch#\(epoch)→\(trackID)"
    case .setVolume(let volume): "volume \(short(volume))"
    }
}

private func text(_ note: TransportNote) -> String {
    switch note {
    case .played(let position, _): "played \(short(position))"
    case .paused(let position, _): "paused \(short(position))"
    case .skipped(let seconds, let from, let to, _): "skipped \(short(seconds)) \(short(from))→\(short(to))"
    case .sought(let from, let to, _): "sought \(short(from))→\(short(to))"
    case .switched(let trackID, let position, _): "switched \(trackID) \(short(position))"
    case .switchFailed(let trackID, _): "switchFailed \(trackID)"
    case .ended(let position): "ended \(short(position))"
    case .outputLost(_, let position): "outputLost \(short(position))"
    case .outputChanged(let output): "outputChanged \(output.name)"
    case .soundFailed(_, let position): "soundFailed \(short(position))"
    case .underrun(let count): "underrun \(count)"
    case .sessionChanged(let title): "changed \(title)"
    case .sessionEnded(let title, _): "ended \(title)"
    }
}
