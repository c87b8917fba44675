internal import HostCore
package import Playback
package import WireProtocol

/// This project's host in the same process, on virtual time and without sound.
///
/// Time moves only by `advance`; what is due in between happens at its own instant, in order.
package struct VirtualHost: Sendable {
    /// What the host plays.
    package struct Film: Sendable {
        package struct Track: Sendable {
            package var id: String
            package var label: String
            /// Seconds.
            package var duration: Double
            /// Switching to it fails.
            package var isBroken: Bool

            package init(id: String, label: String, duration: Double, isBroken: Bool = false) {
                self.id = id
                self.label = label
                self.duration = duration
                self.isBroken = isBroken
            }
        }

        package var sessionID: String
        package var title: String
        package var tracks: [Track]
        package var cues: [Cue]
        package var revision: Int
        /// Seconds; where the film stands when it is opened.
        package var position: Double

        package init(
            sessionID: String, title: String, tracks: [Track], cues: [Cue], revision: Int = 1, position: Double = 0
        ) {
            self.sessionID = sessionID
            self.title = title
            self.tracks = tracks
            self.cues = cues
            self.revision = revision
            self.position = position
        }
    }

    /// What a remote sees of the host.
    package enum Event: Equatable, Sendable {
        case bytes([UInt8], connection: Int)
        case closed(connection: Int)
    }

    private var machine: HostMachine
    private var engine: VirtualEngine?
    private var output = OutputState(name: "Headphones", latency: 0.04, isPresent: true, volume: 0.5, isMuted: false)
    package private(set) var lastConnection: Int
    private var closing: Set<Int> = []
    /// Connections whose remote takes no bytes at the moment.
    private var unread: Set<Int> = []
    private var open: Set<Int> = []
    /// What the host would find on its disk after a restart.
    package private(set) var saved: ListeningState?
    private var events: [Event] = []
    package private(set) var now: SteadyTime

    /// A host without a session, whose clock shows `date` at `now`.
    ///
    /// Connections are numbered from `firstConnection`, so that those of a host before it stay apart.
    package init(date: WireDate, now: SteadyTime, firstConnection: Int = 1) {
        self.now = now
        lastConnection = firstConnection - 1
        let clock = ServerClock(now: now, wallNanoseconds: date.milliseconds * 1_000_000)
        let card = HostCard(id: "virtualhost00001", name: "virtual", software: "allspeak-conformance")
        machine = HostMachine(card: card, clock: clock, now: now)
    }

    // MARK: The stage

    /// Makes `film` the active session, paused; one that is open ends.
    package mutating func open(_ film: Film) {
        let timeline = CueTimeline(film.cues)
        let digest = CueBundle.digest(of: timeline.cues)
        let session = PlaybackSession(
            id: film.sessionID, title: film.title,
            tracks: film.tracks.map { .init(id: $0.id, label: $0.label, duration: $0.duration) },
            revision: film.revision, cueDigest: digest, timeline: timeline)
        guard let first = film.tracks.first else { return }
        engine = VirtualEngine(
            tracks: film.tracks.map { .init(id: $0.id, duration: $0.duration, isBroken: $0.isBroken) },
            trackID: first.id, position: film.position, output: output, now: now)
        perform(
            machine.open(session, activeTrackID: first.id, position: film.position, output: output, now: now))
        settle()
    }

    /// Ends the session.
    package mutating func closeSession() {
        perform(machine.closeSession(now: now))
        engine = nil
        settle()
    }

    /// Somebody else turns the system's volume, 0 to 1.
    package mutating func changeVolume(to volume: Double) {
        engine?.changeVolume(to: volume)
        settle()
    }

    /// The device the host plays on goes away.
    package mutating func loseDevice() {
        engine?.loseDevice(now: now)
        settle()
    }

    /// There is a device again.
    package mutating func findDevice() {
        engine?.findDevice()
        settle()
    }

    /// The program is asked to end.
    package mutating func stop() {
        perform(machine.stop(now: now))
        settle()
    }

    /// The program is killed: every connection ends without a word.
    package mutating func breakOff() {
        for connection in open.sorted() { events.append(.closed(connection: connection)) }
        open = []
    }

    // MARK: Connections

    /// A remote connects; gives the number of its connection.
    package mutating func connect() -> Int {
        lastConnection += 1
        open.insert(lastConnection)
        perform(machine.connect(lastConnection, now: now))
        settle()
        return lastConnection
    }

    /// A remote's bytes arrive, now.
    package mutating func receive(_ bytes: some Collection<UInt8>, on connection: Int) {
        machine.receive(bytes, on: connection, now: now)
        while let actions = machine.nextActions(on: connection, now: now) { perform(actions) }
        settle()
    }

    /// Whether the remote takes what the host sends; while it does not, the host keeps it.
    package mutating func read(_ reads: Bool, on connection: Int) {
        if reads {
            unread.remove(connection)
            write(connection)
        } else {
            unread.insert(connection)
        }
    }

    /// The remote has closed its connection.
    package mutating func disconnect(_ connection: Int) {
        open.remove(connection)
        machine.disconnected(connection)
        settle()
    }

    /// What remotes have been sent since the last call, in order.
    package mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    // MARK: Time

    /// When something happens by itself.
    package var nextDeadline: SteadyTime {
        min(machine.nextDeadline, engine?.nextDeadline ?? machine.nextDeadline)
    }

    /// Moves time on to `end`.
    package mutating func advance(to end: SteadyTime) {
        while nextDeadline <= end {
            now = max(now, nextDeadline)
            engine?.advance(to: now)
            perform(machine.tick(now: now))
            settle()
        }
        now = max(now, end)
    }

    // MARK: Within a turn

    private mutating func settle() {
        repeat {
            while let event = engine?.nextEvent() { perform(machine.engineReported(event, now: now)) }
            perform(machine.endTurn(now: now))
        } while engine?.hasEvents ?? false
    }

    private mutating func perform(_ actions: [HostAction]) {
        for action in actions {
            switch action {
            case .engine(let request):
                engine?.perform(request, now: now)
                if let engine { output = engine.output }
            case .write(let connection): write(connection)
            case .close(let connection):
                closing.insert(connection)
                write(connection)
            case .cut(let connection): close(connection)
            case .save(let state): saved = state
            case .note, .remote: break
            }
        }
    }

    private mutating func close(_ connection: Int) {
        guard open.remove(connection) != nil else { return }
        events.append(.closed(connection: connection))
    }

    /// A virtual remote reads all at once, or nothing.
    private mutating func write(_ connection: Int) {
        guard !unread.contains(connection) else { return }
        while let bytes = machine.nextOutput(of: connection) {
            events.append(.bytes(bytes, connection: connection))
        }
        guard closing.remove(connection) != nil else { return }
        close(connection)
        machine.disconnected(connection)
    }
}
