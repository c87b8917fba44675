import FuzzKit
import Playback
import WireProtocol

/// A transport machine, and what it has promised.
struct Walk {
    static let tracks = ["a", "b", "c"]

    var machine = TransportMachine(
        clock: ServerClock(now: SteadyTime(nanoseconds: 0), wallNanoseconds: 1_750_000_000_000_000_000))
    var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    /// Commands that wait for their answer.
    var open: Set<Int> = []
    var asked = 0
    /// The newest epoch handed to the engine, and that of the newest switch.
    var (epoch, switchEpoch) = (0, 0)

    private static func session(_ durations: [Double]) -> PlaybackSession {
        PlaybackSession(
            id: "film", title: "Film",
            tracks: zip(tracks, durations).map { PlaybackSession.Track(id: $0, label: $0, duration: $1) }, revision: 1,
            cueDigest: "", timeline: CueTimeline([Cue(index: 1, start: 1, end: 2, text: "x")]))
    }

    mutating func openSession(_ durations: [Double], at position: Double, output: OutputState?) {
        let actions = machine.open(
            Self.session(durations), activeTrackID: "a", position: position, output: output, now: now)
        check(actions, wasPlaying: false)
        must(!machine.isPlaying, "a session opens paused")
        must(open.isEmpty, "what the replaced session owed is answered")
    }

    mutating func closeSession() {
        // The pause that ends the engine's work comes when there is no session any more.
        let actions = machine.close(now: now)
        must(!machine.hasSession, "a closed session is gone")
        check(actions, wasPlaying: false)
        must(open.isEmpty, "what the session owed is answered")
    }

    mutating func command(_ command: Command) {
        asked += 1
        open.insert(asked)
        let wasPlaying = machine.isPlaying
        let before = machine.position(at: now)
        check(
            machine.handle(
                command, from: .remote(id: "r", name: "Phone"), asker: Asker(connection: 0, message: .integer(asked)),
                now: now), wasPlaying: wasPlaying)
        if case .switchTrack = command {
        } else {
            must(!open.contains(asked), "every other command is answered at once")
        }
        switch command {
        case .pause: must(!machine.isPlaying, "after pause it stands")
        case .seek, .skip: must(machine.isPlaying == wasPlaying, "a seek does not change whether it plays")
        case .setVolume, .switchTrack: must(machine.position(at: now) == before, "the position is what it was")
        default: break
        }
    }

    mutating func event(_ event: EngineEvent) {
        let wasPlaying = machine.isPlaying
        check(machine.handle(event, now: now), wasPlaying: wasPlaying)
        must(wasPlaying || !machine.isPlaying, "the engine starts nothing")
    }

    mutating func wait(_ seconds: Double) {
        let before = machine.position(at: now)
        now = now + seconds
        let after = machine.position(at: now)
        if !machine.isPlaying { must(after == before, "a paused position does not move") }
        if let before, let after { must(after >= before, "time does not go back") }
        check(machine.tick(now: now), wasPlaying: machine.isPlaying)
        if let deadline = machine.nextDeadline { must(deadline > now, "after a tick the next one lies ahead") }
    }

    private mutating func check(_ actions: [TransportAction], wasPlaying: Bool) {
        var pushes: Change = []
        for action in actions {
            switch action {
            case .reply(let asker, _):
                guard case .integer(let number)? = asker.message else { return must(false, "an asker is one of ours") }
                must(open.remove(number) != nil, "a command is answered once")
            case .engine(let request): check(request)
            case .save(let state): must(state.position >= 0 && state.position.isFinite, "a saved position can be read")
            case .changed(let change): pushes.formUnion(change)
            case .note(let note): check(note)
            }
        }
        checkViews()
        if machine.isPlaying != wasPlaying { must(pushes.contains(.snapshot), "another play state is pushed at once") }
    }

    private mutating func check(_ request: EngineRequest) {
        func mustGrow(_ new: Int) { must(new > epoch, "epochs grow") }
        switch request {
        case .locate(let new, let position, let playing):
            mustBeInTrack(position, "a target")
            must(playing == machine.isPlaying, "the engine is told the machine's own play state")
            mustGrow(new)
            epoch = new
        case .play(let new):
            must(machine.isPlaying, "only what plays is started")
            mustGrow(new)
            epoch = new
        case .switchTrack(let new, _):
            mustGrow(new)
            (epoch, switchEpoch) = (new, new)
        case .pause(let new):
            must(!machine.isPlaying, "only what stands is stopped")
            epoch = max(epoch, new)
        case .setVolume(let volume): must((0...1).contains(volume), "a volume is 0 to 1")
        }
    }

    private func check(_ note: TransportNote) {
        switch note {
        case .played(let position, _), .paused(let position, _), .switched(_, let position, _), .ended(let position):
            mustBeInTrack(position, "a told position")
        case .skipped(_, let from, let to, _), .sought(let from, let to, _):
            mustBeInTrack(from, "where a seek began")
            mustBeInTrack(to, "where it leads")
        // The engine's word for where a sound stopped, which may have been that of another track.
        case .outputLost, .soundFailed, .switchFailed, .outputChanged, .underrun, .sessionChanged, .sessionEnded: break
        }
    }

    private func mustBeInTrack(_ position: Double, _ name: @autoclosure () -> String) {
        guard let snapshot = machine.snapshot(at: now) else { return }
        must(position >= 0 && position <= snapshot.duration, "\(name()) is in the track")
    }

    private func checkViews() {
        guard let snapshot = machine.snapshot(at: now), let metadata = machine.metadata(at: now) else {
            return must(!machine.hasSession, "a session has views")
        }
        must((0...snapshot.duration).contains(snapshot.currentTime), "a position is in the film")
        must(
            snapshot.currentTime == metadata.currentTime && snapshot.serverDate == metadata.serverDate
                && snapshot.isPlaying == metadata.isPlaying, "both views are of one instant")
        if snapshot.isPlaying { must(snapshot.output?.isPresent != false, "nothing plays without a device") }
        for message in [HostMessage.snapshot(snapshot), .metadata(metadata)] {
            let line = message.line()
            must(line.count <= Limits.frameBytes, "a view fits a frame")
            let back = mustNotThrow("a view can be read") { () throws(WireError) in try HostFrame(line: line.dropLast())
            }
            must(back.message == message, "a view reads back as it was written")
        }
    }
}
