internal import WireProtocol

/// A host's texts, stripped and capped before they can reach a terminal, a log or a file name.
extension SessionMetadata {
    var safeToShow: SessionMetadata {
        var safe = self
        safe.title = SafeText.line(title)
        safe.by = by.map { SafeText.line($0, maximumCharacters: Limits.nameCharacters) }
        for place in safe.tracks.indices { safe.tracks[place].label = SafeText.line(tracks[place].label) }
        return safe
    }
}

extension Snapshot {
    var safeToShow: Snapshot {
        var safe = self
        safe.output?.name = SafeText.line(output?.name ?? "")
        return safe
    }
}

extension Cue {
    var safeToShow: Cue {
        var safe = self
        safe.text = SafeText.lines(text)
        return safe
    }
}
