internal import WireProtocol

/// What the judge's host says.
extension Stage {
    var hello: HostMessage {
        .hello(
            HostHello(
                hostID: "judge", hostName: "judge", software: "allspeak-conformance", serverDate: date(now),
                features: ["cues", "tracks", "volume", "holograms"]))
    }

    func metadata(of film: TrialFilm) -> HostMessage {
        .metadata(
            SessionMetadata(
                sessionID: film.sessionID, revision: film.revision, title: film.title, duration: film.duration,
                cueCount: film.cues.count, cueDigest: film.digest, isPlaying: film.isPlaying,
                currentTime: film.currentTime, serverDate: date(film.anchor), tracks: film.tracks,
                activeTrackID: film.tracks[film.activeTrack].id, by: "host"))
    }

    func snapshot(of film: TrialFilm) -> HostMessage {
        .snapshot(
            Snapshot(
                sessionID: film.sessionID, revision: film.revision, currentTime: film.currentTime,
                duration: film.duration, currentIndex: CueTimeline(film.cues).currentIndex(at: film.currentTime),
                isPlaying: film.isPlaying, serverDate: date(film.anchor),
                activeTrackID: film.tracks[film.activeTrack].id, volume: film.volume))
    }

    /// Metadata and snapshot, as after every change.
    mutating func pushState() {
        guard let film else { return send(.sessionEnded) }
        send(metadata(of: film))
        send(snapshot(of: film))
    }

    mutating func push(chunks places: [Int]) {
        guard let film else { return }
        let chunks = host.wrongChunks ?? film.chunks
        for place in places where chunks.indices.contains(place) { send(.cueChunk(chunks[place])) }
    }

    /// Plays on from `position`, or stands there, and says so.
    mutating func place(_ position: Double, isPlaying: Bool = false, at anchor: SteadyTime? = nil) {
        film?.currentTime = position
        film?.isPlaying = isPlaying
        let moment = anchor ?? wholeMillisecond
        film?.anchor = moment
        pushState()
    }

    /// Answers a line as the script has it.
    mutating func answer(_ frame: RemoteFrame, on number: Int) {
        guard case .success(let message) = frame.content else { return }
        switch message {
        case .hello(let hello): takeHello(hello)
        case .ping(let payload):
            guard host.answersPings else { return }
            let delay = connections[number - 1].greeted.map { host.pongDelay(now - $0) } ?? 0
            // The date is that of the answer; only its way back takes time.
            send(HostMessage.pong(Pong(payload: payload, serverDate: date(now))).line(re: frame.id), after: delay)
        case .command(.requestCueChunk(let request)): takePull(request, frame.id)
        case .command(let command): take(command, frame.id)
        case .pong, .goodbye: break
        }
    }

    private mutating func takeHello(_ hello: RemoteHello) {
        guard host.pushesState else { return }
        pushState()
        guard let film, hello.cues?.sessionID != film.sessionID || hello.cues?.digest != film.digest else { return }
        push(chunks: host.pushedChunks ?? Array((host.wrongChunks ?? film.chunks).indices))
    }

    private mutating func takePull(_ request: CueChunkRequest, _ id: MessageID?) {
        guard let delay = host.pullDelay else { return }
        let reply: HostMessage
        if let refusal = host.pullRefusal {
            reply = .error(refusal)
        } else if let film, request.sessionID == film.sessionID, request.revision == film.revision {
            let chunks = host.wrongChunks ?? film.chunks
            reply =
                chunks.indices.contains(request.index)
                ? .cueChunk(chunks[request.index])
                : .error(WireError(.chunkOutOfRange, "There is no such chunk."))
        } else {
            reply = .error(WireError(.staleRevision, "These are not the cues that are played."))
        }
        send(reply.line(re: id), answering: id, after: delay)
    }

    private mutating func take(_ command: Command, _ id: MessageID?) {
        guard let delay = host.replyDelay else { return }
        if case .describe = command {
            // This host names no such feature.
            let error = WireError(.unknownCommand, "There is no command describe.")
            return send(HostMessage.error(error).line(re: id), answering: id, after: delay)
        }
        if let refusal = host.refusal {
            return send(HostMessage.error(refusal).line(re: id), answering: id, after: delay)
        }
        guard film != nil else {
            return send(
                HostMessage.error(WireError(.noSession, "Nothing is played.")).line(re: id), answering: id, after: delay
            )
        }
        apply(command)
        guard let film else { return }
        send(snapshot(of: film).line(re: id), answering: id, after: delay)
        send(metadata(of: film).line(), after: delay)
        send(snapshot(of: film).line(), after: delay)
    }

    private mutating func apply(_ command: Command) {
        guard var new = film else { return }
        let moment = wholeMillisecond
        (new.currentTime, new.anchor) = (new.position(at: moment), moment)
        switch command {
        case .play: new.isPlaying = true
        case .pause: new.isPlaying = false
        case .togglePlayPause: new.isPlaying.toggle()
        case .skip(let seconds): new.currentTime = new.position(at: moment, plus: seconds)
        case .seek(let time): new.currentTime = min(new.duration, max(0, time))
        case .switchTrack(let id): new.activeTrack = new.tracks.firstIndex { $0.id == id } ?? new.activeTrack
        case .setVolume(let volume): new.volume = volume
        case .requestCueChunk, .describe: break
        }
        film = new
    }
}
