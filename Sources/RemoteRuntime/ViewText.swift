internal import RemoteCore
internal import TerminalUI
internal import TextScreen
internal import WireProtocol

/// The state of the film as text and as JSON, the same for every command that shows it.
struct ViewText {
    let view: RemoteView
    let now: SteadyTime

    private var position: Double { view.position(at: now) ?? 0 }

    private var trackNumber: Int? {
        view.tracks.firstIndex { $0.id == view.activeTrackID }.map { $0 + 1 }
    }

    private var cue: Cue? {
        guard case .ready(let timeline) = view.cues, let index = view.currentCueIndex(at: now),
            timeline.cues.indices.contains(index)
        else { return nil }
        return timeline.cues[index]
    }

    /// What a person sees of the connection; `nil` while all is well.
    var trouble: String? {
        switch view.status {
        case .connected: nil
        case .noSession: "The host plays nothing at the moment."
        case .neverConnected: "Looking for the host …"
        case .reconnecting:
            view.hostHasEnded ? "The host has ended; waiting for it …" : "The connection is gone; trying again …"
        case .ended: "The connection has ended."
        }
    }

    /// One line such as `12:03 / 1:58:00  Playing  Spanish  40 %`.
    var line: String {
        var parts = [
            "\(TimeText.elapsed(position)) / \(TimeText.elapsed(view.duration))",
            view.isStalled ? "Waiting for the sound device" : view.isPlaying ? "Playing" : "Paused",
        ]
        if let label = view.tracks.first(where: { $0.id == view.activeTrackID })?.label { parts.append(label) }
        if let volume = view.volume(at: now) { parts.append("\(Int((volume * 100).rounded())) %") }
        if view.output?.isMuted == true { parts.append("muted") }
        if view.output?.isPresent == false { parts.append("no sound device") }
        return parts.joined(separator: "  ")
    }

    var cueLine: String {
        cue.map { SafeText.line($0.text) } ?? ""
    }

    /// Everything, over several lines.
    func status(_ console: Console) -> String {
        var lines = [console.bold(view.title ?? ""), line + "  " + TimeText.remaining(position, of: view.duration)]
        if view.tracks.count > 1 {
            let tracks = view.tracks.enumerated().map { index, track in
                "\(index + 1 == trackNumber ? "*" : " ")\(index + 1) \(track.label)"
            }
            lines.append("Tracks: " + tracks.joined(separator: "  "))
        }
        if let cue { lines.append("Line \(cue.index): \(SafeText.line(cue.text))") }
        if let output = view.output { lines.append("Sound: \(SafeText.line(output.name))") }
        lines.append("Host: \(view.hostName ?? "")")
        return lines.joined(separator: "\n")
    }

    /// The same facts for programs; times in seconds.
    var json: JSONValue { .object(members) }

    /// Of `json`.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("connection", .string(connection))]
        if let name = view.hostName { members.append(.init("host", .string(name))) }
        guard view.metadata != nil else { return members }
        members += [
            .init("sessionID", .string(view.sessionID ?? "")), .init("title", .string(view.title ?? "")),
            .init("isPlaying", .bool(view.isPlaying)), .init("isStalled", .bool(view.isStalled)),
            .init("currentTime", .number(milliseconds(position))),
            .init("duration", .number(view.duration)),
            .init(
                "tracks",
                .array(
                    view.tracks.map { .object([.init("id", .string($0.id)), .init("label", .string($0.label))]) })),
        ]
        if let id = view.activeTrackID { members.append(.init("activeTrackID", .string(id))) }
        if let volume = view.volume(at: now) { members.append(.init("volume", .number(milliseconds(volume)))) }
        if let output = view.output {
            members.append(
                .init(
                    "output",
                    .object([.init("name", .string(output.name)), .init("present", .bool(output.isPresent))])))
        }
        if let cue {
            members.append(
                .init("cue", .object([.init("index", .integer(cue.index)), .init("text", .string(cue.text))])))
        }
        if let by = view.by { members.append(.init("by", .string(by))) }
        return members
    }

    private var connection: String {
        switch view.status {
        case .connected: "connected"
        case .noSession: "noSession"
        case .neverConnected: "connecting"
        case .reconnecting: "reconnecting"
        case .ended: "ended"
        }
    }

    private func milliseconds(_ value: Double) -> Double {
        (value * 1000).rounded() / 1000
    }
}
