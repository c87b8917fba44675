import Playback
import WireProtocol

/// A transport machine with a hand-turned clock, and what it last asked of the engine.
struct Rig {
    static let wall: Int64 = 1_750_000_000_000_000_000
    static let remote = Source.remote(id: "r1", name: "Phone")
    static let device = OutputState(name: "Headphones", latency: 0.05, isPresent: true, volume: 0.8, isMuted: false)
    static let session = PlaybackSession(
        id: "film", title: "The Film",
        tracks: [
            .init(id: "orig", label: "Original", duration: 100), .init(id: "dub", label: "Dub", duration: 60),
            .init(id: "long", label: "Long", duration: 200),
        ],
        revision: 3, cueDigest: "d1",
        timeline: CueTimeline([
            Cue(index: 1, start: 5, end: 6, text: "one"), Cue(index: 2, start: 20, end: 22, text: "two"),
            Cue(index: 3, start: 20, end: 23, text: "three"), Cue(index: 4, start: 40.1, end: 42, text: "four"),
        ]))

    var machine = TransportMachine(
        clock: ServerClock(now: SteadyTime(nanoseconds: 0), wallNanoseconds: Rig.wall))
    var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    /// Of what sounds, or is to sound, as far as the engine has been told.
    private(set) var epoch: Epoch = 1
    private(set) var switchEpoch: Epoch?

    /// Opens the film at `position` with the original track: epoch 1.
    @discardableResult
    mutating func open(at position: Double, output: OutputState? = Rig.device) -> [TransportAction] {
        machine.open(Self.session, activeTrackID: "orig", position: position, output: output, now: now)
    }

    /// Plays from 8 s for two seconds that end at the present `now`: epoch 2, or 3 with the seek.
    mutating func playToTen() {
        now = now + -2
        command(.seek(time: 8))
        command(.play)
        event(.anchor(epoch: epoch, position: 8, at: now, isRunning: true))
        now = now + 2
    }

    @discardableResult
    mutating func command(_ command: Command, from source: Source = remote, asker: Asker? = nil) -> [TransportAction] {
        record(machine.handle(command, from: source, asker: asker, now: now))
    }

    @discardableResult
    mutating func event(_ event: EngineEvent) -> [TransportAction] {
        if case .switched(let newEpoch, _, _) = event { epoch = max(epoch, newEpoch) }
        return record(machine.handle(event, now: now))
    }

    @discardableResult
    mutating func record(_ actions: [TransportAction]) -> [TransportAction] {
        for case .engine(let request) in actions {
            switch request {
            case .locate(let newEpoch, _, _), .play(let newEpoch): epoch = newEpoch
            case .switchTrack(let newEpoch, _): switchEpoch = newEpoch
            case .pause(let newEpoch): epoch = max(epoch, newEpoch)
            case .setVolume: break
            }
        }
        return actions
    }

    var position: Double? { machine.position(at: now) }

    /// `playing 40`, `paused 10 dub`, `idle`: as a remote would be told.
    var view: String {
        guard let snapshot = machine.snapshot(at: now), let metadata = machine.metadata(at: now) else { return "idle" }
        guard metadata.currentTime == snapshot.currentTime, metadata.isPlaying == snapshot.isPlaying,
            metadata.serverDate == snapshot.serverDate, metadata.duration == snapshot.duration,
            metadata.activeTrackID == snapshot.activeTrackID
        else { return "metadata and snapshot disagree" }
        let track = snapshot.activeTrackID == "orig" ? "" : " " + (snapshot.activeTrackID ?? "?")
        let output = snapshot.output?.isPresent == false ? " no output" : ""
        return "\(snapshot.isPlaying ? "playing" : "paused") \(short(snapshot.currentTime))\(track)\(output)"
    }
}

/// At most three decimals, none for whole numbers.
func short(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}
