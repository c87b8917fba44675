internal import AudioEngine
internal import LinuxSystem
internal import Playback
internal import SessionLibrary
internal import Subtitles
internal import TerminalUI
internal import TextScreen
internal import Transport
internal import WireProtocol

/// `allspeak-host play`: opens everything, tells what is wrong before anybody connects, then runs until a signal.
enum PlayCommand {
    /// What the end of the process lets go of.
    private static let kept = Guarded<SessionLibrary?>(nil)

    static func run(_ options: PlayOptions) throws(Failure) -> ExitCode {
        let startedAt = MonotonicClock.now()
        let clock = ServerClock(now: startedAt, wallNanoseconds: MonotonicClock.wallNanoseconds())
        let wanted = options.connections ?? Limits.connections
        let room = try Room(wanted: wanted, allowed: Descriptors.allow(Room.descriptors(for: wanted)))
        let (loop, signals, reporter) = try makeBasics(options)
        if let sentence = room.sentence { reporter.problem(sentence) }
        let opened = try OpenedSession(options) { reporter.problem("Positions are not kept: \($0.reason).") }
        if let repair = opened.library.repair { reporter.problem(repair.sentence + ".") }
        let mailbox = Mailbox<EngineEvent>()
        let sound = try Sound(options.output, opened, mailbox)
        let identity = HostIdentity(
            folder: options.identityFolder, name: options.name, isAlone: HostIdentity.claim(options.identityFolder))
        let server = HostServer(
            .init(
                loop: loop, clock: clock, identity: identity,
                maximumConnections: room.remotes, engine: sound.engine,
                store: opened.library, reporter: reporter))
        let listeners = try listen(options, loop) { descriptor, _ in server.accept(descriptor) }
        listeners.all.forEach { $0.makeRoom = { server.makeRoom() } }
        try opened.keep()
        let session = opened.playbackSession(durations: sound.durations)
        server.open(
            session, activeTrackID: opened.activeTrackID, position: opened.position, output: sound.output)
        server.engineReported(sound.earlyEvents)
        let watch = try watch(mailbox, loop) { server.engineReported($0) }
        let updates = Mailbox<SessionUpdate>()
        let updateWatch = try Self.watch(updates, loop) { server.sessionUpdated($0) }
        // The loop would keep the server, and the server the loop.
        defer {
            loop.unwatch(watch, of: mailbox.descriptor)
            loop.unwatch(updateWatch, of: updates.descriptor)
        }
        let follower = SessionFollower(session, opened.stored, sound.engine, reporter) { updates.post($0) }
        opened.library.follow(opened.stored) { follower.changed(to: $0) }
        let announcement =
            options.announces
            ? Announcement(identity, at: listeners.first, loop: loop, reporter: reporter) : nil
        announceReady(options, opened, session, sound, listeners.port, reporter)
        if options.startsAtOnce { server.command(.play) }
        signals.onSignal = { _ in
            server.stop()
            loop.stop()
        }
        loop.run()
        LastResort.exit(after: 0.9)
        listeners.all.forEach { $0.stop() }
        // The position first: what comes after it talks to other programs.
        opened.library.flush(within: 0.5)
        announcement?.withdraw()
        sound.engine.shutDown()
        // Releasing the library waits for a database that another program may have locked; the process ends instead.
        kept.withLock { $0 = opened.library }
        reporter.say("Ended.")
        reporter.flush()
        return .success
    }

    /// The loop, with termination signals blocked before any other thread exists.
    private static func makeBasics(_ options: PlayOptions) throws(Failure) -> (EventLoop, Signals, Reporter) {
        do throws(SystemError) {
            let loop = try EventLoop()
            return (loop, try Signals(loop), try Reporter(isJSON: options.isJSON))
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
    }

    private static func watch<Message>(
        _ mailbox: Mailbox<Message>, _ loop: EventLoop, _ take: @escaping ([Message]) -> Void
    ) throws(Failure) -> EventLoop.Watch {
        do throws(SystemError) {
            return try loop.watch(mailbox.descriptor) { _ in take(mailbox.drain()) }
        } catch {
            throw Failure(.bug, "The event loop cannot watch sound and library: \(error.sentence)")
        }
    }

    private static func listen(
        _ options: PlayOptions, _ loop: EventLoop, _ accept: @escaping (Int32, Endpoint) -> Void
    ) throws(Failure) -> Listeners {
        do throws(SystemError) {
            return try Listeners(options.bind, port: options.port, loop: loop, accept: accept)
        } catch {
            let advice =
                error.isAddressInUse
                ? "Another program, perhaps another allspeak-host, has it; end that one or choose --port 0."
                : "Choose another --port or --bind."
            throw Failure(.unavailable, "Remotes cannot be served on \(error.sentence). \(advice)")
        }
    }

    private static func announceReady(
        _ options: PlayOptions, _ opened: OpenedSession, _ session: PlaybackSession, _ sound: Sound, _ port: UInt16,
        _ reporter: Reporter
    ) {
        reporter.event([
            .init("ready", .bool(true)), .init("port", .integer(Int(port))),
            .init("sessionID", .string(session.id)), .init("output", .string(sound.output?.name ?? "")),
        ])
        let count = session.timeline.cues.count
        let lines = count == 1 ? "1 line" : "\(count) lines"
        let labels = session.tracks.map { SafeText.line($0.label) }.joined(separator: ", ")
        reporter.say("“\(SafeText.line(session.title))”: \(labels); \(lines).")
        if let sentence = sound.sentence { reporter.say(sentence) }
        if options.audio.count > session.tracks.count {
            reporter.say("A file named twice is one track; of a file with several sound streams the first is used.")
        }
        for repair in opened.repairs.prefix(3) { reporter.say("Subtitles, line \(repair.line): \(repair.sentence)") }
        if opened.repairs.count > 3 {
            reporter.say("… \(opened.repairs.count - 3) more mended places: allspeak-host cues FILE lists them.")
        }
        let state = options.startsAtOnce ? "Playing from" : "Paused at"
        reporter.say(
            "\(state) \(TimeText.elapsed(opened.position)). Remotes: port \(port) of this machine. Ctrl-C ends.")
    }
}

/// Termination signals, whose handler is set once there is something to end.
final class Signals {
    var onSignal: (Int32) -> Void = { _ in }
    private var watch: SignalWatch?

    init(_ loop: EventLoop) throws(SystemError) {
        watch = try SignalWatch(SignalWatch.termination, loop: loop) { [weak self] in self?.onSignal($0) }
    }
}

/// The sockets remotes connect to: both loopback addresses on one port, or the one asked for.
struct Listeners {
    private(set) var all: [Listener] = []

    /// The one to name to a person.
    var first: Endpoint { all.first?.endpoint ?? Endpoint(address: "127.0.0.1", port: 0) }
    var port: UInt16 { first.port }

    init(
        _ addresses: [String], port: UInt16, loop: EventLoop, accept: @escaping (Int32, Endpoint) -> Void
    ) throws(SystemError) {
        for address in addresses.isEmpty ? ["127.0.0.1", "::1"] : addresses {
            do throws(SystemError) {
                let wanted = all.isEmpty ? port : self.port
                let listener = try Listener(Endpoint(address: address, port: wanted), loop: loop)
                listener.onConnection = accept
                all.append(listener)
            } catch {
                // A machine without IPv6 is served on IPv4 alone.
                guard address == "::1", addresses.isEmpty, !error.isAddressInUse else { throw error }
            }
        }
    }
}
