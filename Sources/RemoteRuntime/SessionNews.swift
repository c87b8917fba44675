internal import TerminalUI
internal import WireProtocol

/// What has become of a film while it is watched: another title, other tracks, other lines.
struct SessionNews {
    private var title: String?
    private var added: [String] = []
    private var removed: [String] = []
    private var hasOtherLines = false

    /// Nothing where one of both is no film.
    init(from old: WatchCommand.Facts, to new: WatchCommand.Facts) {
        guard let oldTitle = old.title, let newTitle = new.title else { return }
        if oldTitle != newTitle { title = newTitle }
        added = new.tracks.filter { !old.tracks.contains($0) }
        removed = old.tracks.filter { !new.tracks.contains($0) }
        hasOtherLines = old.digest != new.digest
    }

    /// For a person, one for each.
    var sentences: [String] {
        (title.map { ["The film is called “\($0)” now."] } ?? []) + added.map { "New track: \($0)" }
            + removed.map { "Track removed: \($0)" } + (hasOtherLines ? ["The film has other lines now."] : [])
    }

    /// For a program: `changed` and, of tracks, their labels; none where nothing has.
    var members: [JSONValue.Member] {
        var changed: [JSONValue] = []
        if title != nil { changed.append(.string("title")) }
        if !added.isEmpty || !removed.isEmpty { changed.append(.string("tracks")) }
        if hasOtherLines { changed.append(.string("cues")) }
        guard !changed.isEmpty else { return [] }
        var members: [JSONValue.Member] = [.init("changed", .array(changed))]
        if !added.isEmpty { members.append(.init("added", .array(added.map { .string($0) }))) }
        if !removed.isEmpty { members.append(.init("removed", .array(removed.map { .string($0) }))) }
        return members
    }
}
