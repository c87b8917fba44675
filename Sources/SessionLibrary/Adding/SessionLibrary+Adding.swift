internal import LinuxSystem
package import Playback
internal import WireProtocol

/// Making sessions of copies.
extension SessionLibrary {
    /// Tracks of one session at most; a remote shows them in a list.
    package static let maximumTracks = 64
    /// Characters of a label that are kept.
    static let labelCharacters = 128

    /// Copies the files and makes a session of them; nothing of it can be seen before all of it is checked and safe.
    ///
    /// A file given twice, under whatever name, is copied once. Must not be called on a loop: it takes as long as the disk does.
    /// - Throws: `LibraryError.unfitFile` for a file that is not what it should be; `full` or `unusable` for the disk.
    /// - Precondition: There is a track.
    package func add(
        _ new: NewSession, checkedBy check: MediaCheck, _ progress: CopyProgress
    ) throws(LibraryError) -> StoredSession {
        try add(new, mayRepeatLabels: false, checkedBy: check, progress)
    }

    private func add(
        _ new: NewSession, mayRepeatLabels: Bool, checkedBy check: MediaCheck, _ progress: CopyProgress
    ) throws(LibraryError) -> StoredSession {
        let subtitles = try Self.open(new.subtitles)
        let converted = try Self.checkedSubtitles(new.subtitles, check)
        var tracks = try chosen(new.tracks, checkedBy: check)
        let labels = tracks.map(\.label)
        if mayRepeatLabels {
            for (place, label) in Naming.distinct(labels).enumerated() { tracks[place].label = label }
        } else {
            try Self.requireOwnLabels(labels)
        }
        let id = Identifiers.uuid()
        let total = subtitles.byteCount + tracks.reduce(0) { $0 + $1.byteCount }
        try requireRoom(for: total)
        let place = LibraryFolder.folder(of: id)
        return try arrive([place]) { () throws(LibraryError) in
            try makeFolder(of: id)
            var done = 0
            let count: (Int) -> Void = {
                done += $0
                progress(done, total)
            }
            let subtitlePath = place + "/" + StoredName.subtitles(named: StoredName.original(of: new.subtitles))
            try copySubtitles(subtitles, converted, to: subtitlePath, count)
            let digest = try checkedCopy(subtitlePath, of: new.subtitles) { path throws(MediaCheck.Fault) in
                try check.cueDigest(path)
            }
            var session = StoredSession(
                id: id, title: Naming.title(new.title) ?? StoredName.stem(of: new.tracks[0].path), tracks: [],
                subtitlePath: subtitlePath, revision: 1, cueDigest: digest, position: 0, activeTrackID: nil,
                isImported: true)
            for track in tracks {
                var stored = try copy(track, into: place, checkedBy: check, count)
                stored.isDefault = session.tracks.isEmpty
                session.tracks.append(stored)
            }
            return try store(session, arrivedAt: [place])
        }
    }

    /// Makes a session whose files have arrived part of the library.
    func store(_ session: StoredSession, arrivedAt paths: [String]) throws(LibraryError) -> StoredSession {
        try settle(paths, in: session.id) { connection throws(DatabaseError) in
            try LibraryEdits.insert(session, at: Self.now(), on: connection)
            try LibraryEdits.replaceTracks(of: session.id, by: session.tracks, on: connection)
            return .success(())
        }
        return folder.absolute(session)
    }

    /// Their content in UTF-8 where that is to be kept; else they are known to be good as they are.
    static func checkedSubtitles(_ path: String, _ check: MediaCheck) throws(LibraryError) -> [UInt8]? {
        try checked(path) { path throws(MediaCheck.Fault) in
            if let convert = check.converted { return try convert(path) }
            _ = try check.cueDigest(path)
            return nil
        }
    }

    func copySubtitles(
        _ source: borrowing SourceFile, _ converted: [UInt8]?, to stored: String, _ progress: (Int) -> Void
    ) throws(LibraryError) {
        guard let converted else {
            _ = try copy(source, to: stored, progress)
            return
        }
        try system { () throws(SystemError) in
            let target = try TargetFile(new: folder.absolute(stored))
            var failure: SystemError?
            converted.withUnsafeBytes { bytes in
                do throws(SystemError) { try target.write(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            try target.sync()
        }
        progress(source.byteCount)
    }

    // MARK: Tracks

    /// A track whose file can be played.
    struct ChosenTrack {
        var path: String
        var label: String
        var byteCount: Int
    }

    /// Every file once, each one known to be playable.
    func chosen(_ tracks: [NewTrack], checkedBy check: MediaCheck) throws(LibraryError) -> [ChosenTrack] {
        var seen: Set<SourceFile.Identity> = []
        var chosen: [ChosenTrack] = []
        for track in tracks {
            let file = try Self.open(track.path)
            guard seen.insert(file.identity).inserted else { continue }
            _ = try Self.checked(track.path) { path throws(MediaCheck.Fault) in try check.duration(path) }
            chosen.append(
                ChosenTrack(
                    path: track.path, label: Naming.label(track.label) ?? StoredName.stem(of: track.path),
                    byteCount: file.byteCount))
        }
        guard chosen.count <= Self.maximumTracks else {
            throw .refused(reason: "a session has at most \(Self.maximumTracks) tracks")
        }
        return chosen
    }

    /// Copies one track into a session's folder and checks the copy.
    func copy(
        _ track: ChosenTrack, into place: String, checkedBy check: MediaCheck, _ progress: (Int) -> Void
    ) throws(LibraryError) -> StoredSession.Track {
        let id = Identifiers.uuid()
        return try copy(
            track, id, to: place + "/" + StoredName.track(id, named: StoredName.original(of: track.path)), check,
            progress)
    }

    func copy(
        _ track: ChosenTrack, _ id: String, to path: String, _ check: MediaCheck, _ progress: (Int) -> Void
    ) throws(LibraryError) -> StoredSession.Track {
        let source = try Self.open(track.path)
        let sha256 = try copy(source, to: path, progress)
        let seconds = try checkedCopy(path, of: track.path) { path throws(MediaCheck.Fault) in
            try check.duration(path)
        }
        return StoredSession.Track(
            id: id, label: track.label, path: path,
            copy: .init(byteCount: source.byteCount, sha256: sha256, duration: seconds))
    }

    // MARK: Checks and words

    /// Tracks are chosen by label, upper and lower case alike.
    static func requireOwnLabels(_ labels: [String]) throws(LibraryError) {
        var seen: Set<String> = []
        for label in labels where !seen.insert(label.lowercased()).inserted { throw .repeatedLabel(label) }
    }

    static func checked<Output>(
        _ path: String, _ check: (String) throws(MediaCheck.Fault) -> Output
    ) throws(LibraryError) -> Output {
        do throws(MediaCheck.Fault) {
            return try check(path)
        } catch {
            throw .unfitFile(path: path, reason: error.reason)
        }
    }

    /// Looks at the copy, and speaks of the file it was made of.
    func checkedCopy<Output>(
        _ stored: String, of original: String, _ check: (String) throws(MediaCheck.Fault) -> Output
    ) throws(LibraryError) -> Output {
        do throws(MediaCheck.Fault) {
            return try check(folder.absolute(stored))
        } catch {
            throw .unfitFile(path: original, reason: error.reason)
        }
    }
}

extension SessionLibrary {
    /// Makes a session of copies of another library's, with its labels, its default and its position.
    ///
    /// - Throws: `LibraryError` as `add`.
    package func addCopy(
        of other: StoredSession, checkedBy check: MediaCheck, _ progress: CopyProgress
    ) throws(LibraryError) -> StoredSession {
        guard let subtitles = other.subtitlePath else { throw .refused(reason: "“\(other.title)” has no subtitles") }
        let tracks = other.tracks.map { NewTrack(path: $0.path, label: $0.label) }
        var session = try add(
            NewSession(title: other.title, tracks: tracks, subtitles: subtitles), mayRepeatLabels: true,
            checkedBy: check, progress)
        if let place = other.tracks.firstIndex(where: { $0.isDefault }), place > 0,
            other.tracks.count == session.tracks.count
        {
            session = try setDefault(session.tracks[place].id, of: session.id)
        }
        session.position = other.position
        save(ListeningState(sessionID: session.id, position: other.position, activeTrackID: session.startTrackID))
        flush(within: LibraryFile.busySeconds)
        return session
    }
}
