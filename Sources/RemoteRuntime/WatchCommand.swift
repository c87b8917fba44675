internal import LinuxSystem
internal import RemoteCore
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-remote watch`: a line for each change and each spoken line, until a signal.
final class WatchCommand {
    /// What makes a new line worth printing.
    struct Facts: Equatable {
        var trouble: String?
        var title: String?
        var tracks: [String]
        /// Of the lines.
        var digest: String?
        var isPlaying: Bool
        var activeTrackID: String?
        var volumePercent: Int?
        var isMuted: Bool?
        var hasOutput: Bool?
        var cueIndex: Int?
        /// Other cues may come for the same place.
        var cueLine: String
    }

    private let loop: EventLoop
    private let identity = RemoteIdentity.ofThisUser()
    private var link: RemoteLink?
    private let finder: HostFinder
    private let isJSON: Bool
    /// A reader that has stopped must not stop the remote.
    private let output: BackgroundWriter
    private var signals: SignalWatch?
    private var shown: Facts?
    private var lastLine = ""
    private var cueTimer: EventLoop.Timer?
    private var end: Result<ExitCode, Failure>?

    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        try WatchCommand(invocation).run()
    }

    private init(_ invocation: Invocation) throws(Failure) {
        let wanted = try HostFinder.Wanted(invocation.value("--host"))
        isJSON = invocation.switches.contains("--json")
        do throws(SystemError) {
            loop = try EventLoop()
            output = try BackgroundWriter(to: 1)
            signals = nil
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
        finder = try OneShot.finder(wanted, loop)
    }

    private func run() throws(Failure) -> ExitCode {
        do throws(SystemError) {
            signals = try SignalWatch(SignalWatch.termination, loop: loop) { [weak self] _ in
                self?.end = .success(.success)
                self?.loop.stop()
            }
        } catch {
            throw Failure(.bug, "Signals cannot be watched: \(error.sentence)")
        }
        let endpoints = try finder.find(
            patiently: {
                isJSON
                    ? say(json: .object([.init("connection", .string("searching"))]))
                    : say("Looking for the host …")
            }, until: { end != nil })
        guard let endpoints else { return .success }
        let link = RemoteLink(
            loop: loop, finder: finder, endpoints: endpoints, identity: identity,
            cache: CueCache(folder: Directories.cache))
        self.link = link
        link.onChange = { [weak self] changes in
            // The host said nothing new.
            if changes != .confirmed { self?.show(after: changes) }
        }
        link.start()
        loop.run()
        link.onChange = { _ in }
        link.stop()
        finder.stop()
        output.flush(within: 0.2)
        let code = try end?.get() ?? .success
        if let error = output.failure, let failure = Console.outputFailure(error) { throw failure }
        return code
    }

    private func show(after changes: ViewChanges) {
        guard let link else { return }
        let now = MonotonicClock.now()
        let view = link.view
        if case .ended(let reason) = view.status, reason != .stopped {
            end = .failure(Sentences.ended(reason))
            return loop.stop()
        }
        // Between the greeting and the first state there is nothing to tell.
        if case .connected = view.connection, !link.knowsSession { return }
        let text = ViewText(view: view, now: now)
        let facts = Facts(
            trouble: text.trouble, title: view.title, tracks: view.tracks.map(\.label),
            digest: view.metadata?.cueDigest, isPlaying: view.isPlaying, activeTrackID: view.activeTrackID,
            volumePercent: view.volume(at: now).map { Int(($0 * 100).rounded()) }, isMuted: view.output?.isMuted,
            hasOutput: view.output?.isPresent, cueIndex: view.currentCueIndex(at: now), cueLine: text.cueLine)
        armCueTimer(view, now)
        guard facts != shown || changes.contains(.playback) else { return }
        // Nothing can have changed of what is not there.
        if view.status == .noSession, shown?.trouble == text.trouble { return }
        let news = shown.map { SessionNews(from: $0, to: facts) }
        shown = facts
        if isJSON { return say(json: .object(text.members + (news?.members ?? []))) }
        for sentence in news?.sentences ?? [] { say(sentence) }
        say(facts.trouble ?? [text.line, text.cueLine].filter { !$0.isEmpty }.joined(separator: "  | "))
    }

    /// A correction of some milliseconds looks the same; a program gets every one, a person only what differs.
    private func say(_ line: String) {
        if line != lastLine { write(Array(line.utf8)) }
        lastLine = line
    }

    private func write(_ line: [UInt8]) {
        output.write(line: line)
        guard output.failure != nil else { return }
        // Nobody gets to know what comes.
        end = .success(.success)
        loop.stop()
    }

    private func say(json: JSONValue) {
        var writer = JSONWriter()
        writer.value(json)
        write(writer.bytes)
    }

    private func armCueTimer(_ view: RemoteView, _ now: SteadyTime) {
        if let cueTimer { loop.cancel(cueTimer) }
        cueTimer = view.nextCueChange(after: now).map { time in
            loop.schedule(at: time + 0.001) { [weak self] in self?.show(after: []) }
        }
    }
}
