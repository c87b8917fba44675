internal import LinuxSystem

/// What became of a request for other tracks.
package struct TrackReport: Equatable, Sendable {
    /// Seconds, by track; without those that cannot be played.
    package var durations: [String: Double] = [:]
    /// Tracks that cannot be played, and why.
    package var faults: [EngineError] = []

    package init() {}
}

/// The tracks an engine has been given, those that have gone included.
struct Roster: Sendable {
    var files: [TrackFile]
    /// As the sound thread has them: the same places.
    var tracks: [SoundController.Track]

    /// The place of a track that is there and has that file.
    func place(of file: TrackFile) -> Int? {
        files.indices.first { files[$0] == file && tracks[$0].isPresent }
    }
}

extension StreamingAudioEngine {
    /// Makes exactly `tracks` those that can be switched to; what sounds now sounds on, even if it is none of them.
    ///
    /// Opens the files of new ones on the calling thread, which takes as long as the disk does: not for a loop, and for
    /// one thread at a time. A switch asked for afterwards finds the new tracks. A file is closed once it is not played any more.
    /// - Returns: The length of each track, and those that cannot be played, which are left out.
    package func setTracks(_ wanted: [TrackFile]) -> TrackReport {
        var report = TrackReport()
        var roster = self.roster.withLock { $0 }
        guard let decoding = threads.withLock({ $0?.decoding }) else { return report }
        var present: Set<Int> = []
        for file in wanted {
            do throws(EngineError.Fault) {
                let place: Int
                if let known = roster.place(of: file) {
                    place = known
                } else {
                    place = try open(file, decoding, &roster)
                }
                present.insert(place)
                report.durations[file.id] = Format.seconds(frames: roster.tracks[place].duration)
            } catch {
                report.faults.append(EngineError(trackID: file.id, path: file.path, fault: error))
            }
        }
        for place in roster.tracks.indices { roster.tracks[place].isPresent = present.contains(place) }
        self.roster.withLock { [roster] in $0 = roster }
        mailbox.post(.tracks(roster.tracks))
        decoding.retire(Set(roster.tracks.indices).subtracting(present))
        return report
    }

    private func open(
        _ file: TrackFile, _ decoding: DecodingThread, _ roster: inout Roster
    ) throws(EngineError.Fault) -> Int {
        let source = try TrackSource(path: file.path)
        source.putAway()
        let track = SoundController.Track(id: file.id, duration: source.duration)
        let place = decoding.add(source)
        roster.files.append(file)
        roster.tracks.append(track)
        return place
    }
}

extension StreamingAudioEngine {
    /// The length in seconds of a file that can be played.
    ///
    /// - Throws: `EngineError.Fault` where it cannot, or is empty.
    package static func duration(of path: String) throws(EngineError.Fault) -> Double {
        Format.seconds(frames: try TrackSource(path: path).duration)
    }
}
