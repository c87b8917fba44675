internal import LinuxSystem
package import Playback
internal import WireProtocol

/// Changes to stored sessions; a host that plays one of them notices.
extension SessionLibrary {
    /// Gives a session another title.
    ///
    /// - Throws: `LibraryError.refused` for one that shows nothing; `noSession`.
    package func rename(_ id: String, to title: String) throws(LibraryError) -> StoredSession {
        guard let title = Naming.title(title) else { throw .refused(reason: "a title shows at least one character") }
        return try edit(id) { _, connection throws(DatabaseError) in
            try LibraryEdits.rename(id, to: title, on: connection)
            return .success(())
        }
    }

    /// Removes a session and its copies; files that lie where the user has them stay.
    ///
    /// - Throws: `LibraryError.noSession`.
    package func delete(_ id: String) throws(LibraryError) {
        try write(deletes: true) { connection throws(DatabaseError) -> Result<Void, LibraryError> in
            guard try LibraryQueries.session(id, on: connection) != nil else { return .failure(.noSession(query: id)) }
            try LibraryEdits.delete(id, on: connection)
            try LooseFiles.add([LibraryFolder.folder(of: id)], .leaving, on: connection)
            return .success(())
        }
        tidyUp()
    }

    // MARK: Tracks

    /// Copies further tracks into a session, behind the others; one that it has already is left out.
    ///
    /// A track counts as the same where label, file name and content are.
    /// - Throws: `LibraryError` as `add`, and `noSession`.
    package func addTracks(
        _ new: [NewTrack], to id: String, checkedBy check: MediaCheck, _ progress: CopyProgress
    ) throws(LibraryError) -> StoredSession {
        let chosen = try chosen(new, checkedBy: check)
        try Self.requireOwnLabels(chosen.map(\.label))
        let tracks = chosen.map { (id: Identifiers.uuid(), track: $0) }
        let total = tracks.reduce(0) { $0 + $1.track.byteCount }
        try requireRoom(for: total)
        let place = LibraryFolder.folder(of: id)
        let paths = tracks.map { place + "/" + StoredName.track($0.id, named: $0.track.path) }
        try arrive(paths) { () throws(LibraryError) -> Void in
            try makeFolder(of: id)
            var done = 0
            var added: [StoredSession.Track] = []
            for (track, path) in zip(tracks, paths) {
                added.append(
                    try copy(track.track, track.id, to: path, check) {
                        done += $0
                        progress(done, total)
                    })
            }
            try settle(paths, in: id) { [added] connection throws(DatabaseError) -> Result<Void, LibraryError> in
                guard let session = try LibraryQueries.session(id, on: connection) else {
                    return .failure(.noSession(query: id))
                }
                let (fresh, known) = Self.sorted(added, against: session.tracks)
                guard session.tracks.count + fresh.count <= Self.maximumTracks else {
                    return .failure(.refused(reason: "a session has at most \(Self.maximumTracks) tracks"))
                }
                let present = Set(session.tracks.map { $0.label.lowercased() })
                if let repeated = fresh.first(where: { present.contains($0.label.lowercased()) }) {
                    return .failure(.repeatedLabel(repeated.label))
                }
                try LibraryEdits.replaceTracks(of: id, by: session.tracks + fresh, on: connection)
                try LooseFiles.add(known.map(\.path), .leaving, on: connection)
                return .success(())
            }
        }
        tidyUp()
        return try session(id)
    }

    /// Which of the arrived tracks are new, and which the session has.
    private static func sorted(
        _ added: [StoredSession.Track], against present: [StoredSession.Track]
    ) -> (fresh: [StoredSession.Track], known: [StoredSession.Track]) {
        func mark(_ track: StoredSession.Track) -> String? {
            track.copy.map { [$0.sha256, StoredName.original(of: track.path), track.label].joined(separator: "\n") }
        }
        let marks = Set(present.compactMap(mark))
        let known = added.filter { mark($0).map(marks.contains) ?? false }
        return (added.filter { track in !known.contains { $0.id == track.id } }, known)
    }

    /// Removes one track and its copy; if it was the default, the first of the others is.
    ///
    /// - Throws: `LibraryError.lastTrack` for the only one; `noSession`, `noTrack`, `severalTracks`.
    package func removeTrack(_ query: String, of id: String) throws(LibraryError) -> StoredSession {
        let changed = try edit(id) { session, connection throws(DatabaseError) in
            switch TrackQuery.match(query, in: session) {
            case .failure(let error): return .failure(error)
            case .success(let track):
                guard session.tracks.count > 1 else { return .failure(.lastTrack(session: session.title)) }
                try LibraryEdits.remove(track.id, on: connection)
                if track.isDefault, let first = session.tracks.first(where: { $0.id != track.id }) {
                    try LibraryEdits.setDefault(first.id, of: id, on: connection)
                }
                if LibraryFolder.isOwn(track.path, of: id) {
                    try LooseFiles.add([track.path], .leaving, on: connection)
                }
                return .success(())
            }
        }
        tidyUp()
        return changed
    }

    /// Makes one track the one that the session begins with.
    ///
    /// A host that plays it now plays on; what it plays is then what the next one begins with.
    /// - Throws: `LibraryError.noSession`, `noTrack`, `severalTracks`.
    package func setDefault(_ query: String, of id: String) throws(LibraryError) -> StoredSession {
        try edit(id) { session, connection throws(DatabaseError) in
            switch TrackQuery.match(query, in: session) {
            case .failure(let error): return .failure(error)
            case .success(let track):
                try LibraryEdits.setDefault(track.id, of: id, on: connection)
                try LibraryEdits.forgetActiveTrack(of: id, on: connection)
                return .success(())
            }
        }
    }

    // MARK: Subtitles

    /// Copies other subtitles into a session; the position stays, and so do revision and digest if the cues are the same.
    ///
    /// - Throws: `LibraryError` as `add`, and `noSession`.
    package func replaceSubtitles(
        of id: String, by path: String, checkedBy check: MediaCheck
    ) throws(LibraryError) -> StoredSession {
        let source = try Self.open(path)
        let converted = try Self.checkedSubtitles(path, check)
        try requireRoom(for: source.byteCount)
        let stored = LibraryFolder.folder(of: id) + "/" + StoredName.subtitles(named: path)
        try arrive([stored]) { () throws(LibraryError) -> Void in
            try makeFolder(of: id)
            try copySubtitles(source, converted, to: stored) { _ in }
            let digest = try checkedCopy(stored, of: path) { path throws(MediaCheck.Fault) in
                try check.cueDigest(path)
            }
            try settle([stored], in: id) { connection throws(DatabaseError) -> Result<Void, LibraryError> in
                guard let session = try LibraryQueries.session(id, on: connection) else {
                    return .failure(.noSession(query: id))
                }
                let revision = session.cueDigest == digest ? session.revision : session.revision + 1
                try LibraryEdits.replaceSubtitles(
                    of: id, by: stored, revision: revision, digest: digest, on: connection)
                if let old = session.subtitlePath, LibraryFolder.isOwn(old, of: id) {
                    try LooseFiles.add([old], .leaving, on: connection)
                }
                return .success(())
            }
        }
        tidyUp()
        return try session(id)
    }

    // MARK: Within

    /// Changes a session in one transaction, and gives it as it is afterwards; `change` gets it as stored.
    private func edit(
        _ id: String,
        _ change: @escaping @Sendable (StoredSession, Connection) throws(DatabaseError) -> Result<Void, LibraryError>
    ) throws(LibraryError) -> StoredSession {
        let changed = try write { connection throws(DatabaseError) -> Result<StoredSession?, LibraryError> in
            guard let session = try LibraryQueries.session(id, on: connection) else {
                return .failure(.noSession(query: id))
            }
            if case .failure(let error) = try change(session, connection) { return .failure(error) }
            return .success(try LibraryQueries.session(id, on: connection))
        }
        guard let changed else { throw .noSession(query: id) }
        return folder.absolute(changed)
    }

    func session(_ id: String) throws(LibraryError) -> StoredSession {
        let found = try read { connection throws(DatabaseError) in
            try connection.reading { () throws(DatabaseError) in try LibraryQueries.session(id, on: connection) }
        }
        guard let found else { throw .noSession(query: id) }
        return folder.absolute(found)
    }
}
