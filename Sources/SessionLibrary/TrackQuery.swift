internal import Playback

/// Finds the track a person means.
enum TrackQuery {
    /// Characters of an id's beginning at least; fewer could be meant as a number.
    private static let idCharacters = 4

    /// By id, whole label, number from 1, unique beginning of an id or unique part of a label, upper and lower case alike.
    static func match(_ query: String, in session: StoredSession) -> Result<StoredSession.Track, LibraryError> {
        let wanted = query.lowercased()
        let tracks = session.tracks
        if let track = tracks.first(where: { $0.id.lowercased() == wanted }) { return .success(track) }
        let labelled = tracks.filter { $0.label.lowercased() == wanted }
        if let track = labelled.first, labelled.count == 1 { return .success(track) }
        if let number = Int(query), tracks.indices.contains(number - 1) { return .success(tracks[number - 1]) }
        let found = tracks.filter {
            let isID = wanted.count >= idCharacters && $0.id.lowercased().hasPrefix(wanted)
            return isID || !wanted.isEmpty && $0.label.lowercased().contains(wanted)
        }
        guard let track = found.first else { return .failure(.noTrack(query: query, session: session.title)) }
        if found.count > 1 { return .failure(.severalTracks(query: query, labels: found.map(\.label))) }
        return .success(track)
    }
}
