internal import LinuxSystem
internal import RemoteCore
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// A connection for one command: opened, used, closed; written as a sequence, since nothing else happens meanwhile.
struct OneShot {
    /// Seconds for the host to answer a connection and tell what it plays.
    private static let patience = 5.0
    /// Seconds for a long subtitle list to arrive.
    private static let cuePatience = 15.0

    let loop: EventLoop
    let link: RemoteLink

    /// Finds the host and connects.
    /// - Throws: `Failure` with code `unavailable`, or `usage` for a `--host` that is none.
    init(_ invocation: Invocation) throws(Failure) {
        let wanted = try HostFinder.Wanted(invocation.value("--host"))
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
        let finder = try Self.finder(wanted, loop)
        let endpoints = try finder.find()
        finder.stop()
        link = RemoteLink(
            loop: loop, finder: finder, endpoints: endpoints, identity: .ofThisUser(),
            cache: CueCache(folder: Directories.cache))
        let link = self.link
        link.start()
        _ = loop.run(until: MonotonicClock.now() + Self.patience) {
            if case .ended = link.view.status { return true }
            return link.lastFailure != nil || link.knowsSession || link.hasEnded
        }
        try check(endpoints, link.knowsSession)
    }

    static func finder(_ wanted: HostFinder.Wanted, _ loop: EventLoop) throws(Failure) -> HostFinder {
        do throws(SystemError) {
            return try HostFinder(wanted, loop: loop)
        } catch {
            throw Failure(.bug, "Hosts cannot be looked for: \(error.sentence)")
        }
    }

    private func check(_ endpoints: [Endpoint], _ isReady: Bool) throws(Failure) {
        if case .ended(let reason) = link.view.status { throw Sentences.ended(reason) }
        if let failure = link.lastFailure {
            throw Failure(
                .unavailable, "No host answers at \(failure.sentence). Is allspeak-host running? Check --host.")
        }
        if !isReady, let error = link.view.lastError {
            throw Failure(
                .unavailable, "The host does not serve this remote: \(error.sentence) Try again later.")
        }
        let place = SafeText.line(endpoints.first?.text ?? "that address")
        if !isReady { throw Failure(.unavailable, "\(place) does not answer as a host. Check --host.") }
    }

    /// Sends a command and waits for its reply.
    /// - Throws: `Failure` that says whether the command was applied.
    func perform(_ command: Command) throws(Failure) -> Snapshot {
        try settle { link, completion in link.send(command, completion) }
    }

    /// Sends taps as one jump; `nil` when they add up to nothing.
    func skip(_ taps: [Double]) throws(Failure) -> Snapshot? {
        let result = try outcome { link, completion in
            for (index, tap) in taps.enumerated() {
                link.tapSkip(tap) { if index == 0 { completion($0) } }
            }
            link.flushSkips()
        }
        if case .snapshot(let snapshot) = result { return snapshot }
        return nil
    }

    private func settle(
        _ body: (RemoteLink, @escaping (Result<CommandReply, CommandFailure>) -> Void) -> Void
    ) throws(Failure) -> Snapshot {
        guard case .snapshot(let snapshot) = try outcome(body) else {
            throw Failure(.bug, "The host answered with something else than its state.")
        }
        return snapshot
    }

    private func outcome(
        _ body: (RemoteLink, @escaping (Result<CommandReply, CommandFailure>) -> Void) -> Void
    ) throws(Failure) -> CommandReply {
        var result: Result<CommandReply, CommandFailure>?
        body(link) { result = $0 }
        // The machine settles every command within its own time limit; this one only ends a fault of ours.
        _ = loop.run(until: MonotonicClock.now() + 30) { result != nil }
        switch result {
        case .success(let reply): return reply
        case .failure(let failure): throw Sentences.failed(failure)
        case nil: throw Failure(.bug, "The command was neither answered nor given up.")
        }
    }

    /// Waits for the subtitles.
    /// - Throws: `Failure` when there are none or they do not arrive.
    func cues(within seconds: Double = OneShot.cuePatience) throws(Failure) -> CueTimeline {
        let link = self.link
        _ = loop.run(until: MonotonicClock.now() + seconds) {
            if case .loading = link.view.cues { return false }
            return true
        }
        switch link.view.cues {
        case .ready(let timeline): return timeline
        case .none: throw Failure(.unavailable, "This film has no subtitles on the host.")
        case .loading: throw Failure(.unavailable, "The subtitles did not arrive. Try again.")
        }
    }

    /// - Throws: `Failure` when the host plays nothing.
    func requireSession() throws(Failure) {
        guard link.view.metadata != nil else { throw Sentences.noSession }
    }

    func close() {
        link.stop()
    }
}

/// What goes wrong, in sentences.
enum Sentences {
    static let noSession = Failure(
        .unavailable, "The host plays nothing at the moment. End it with Ctrl-C and open a film: allspeak-host play …")

    static func ended(_ reason: EndReason) -> Failure {
        if case .unauthorized = reason { return Failure(.notPaired, reason.sentence) }
        return Failure(.unavailable, reason.sentence)
    }

    static func failed(_ failure: CommandFailure) -> Failure {
        switch failure {
        case .notSent: Failure(.unavailable, failure.sentence)
        case .lost: Failure(.unavailable, failure.sentence + " See: allspeak-remote status")
        case .refused(let error): Failure(code(for: error.code), failure.sentence)
        }
    }

    private static func code(for code: WireError.Code) -> ExitCode {
        switch code {
        case .invalidArgument, .unknownTrack, .unknownCommand: .usage
        case .trackFailed: .badData
        case .unauthorized: .notPaired
        case .malformed, .internal, .unknownKind, .frameTooLarge: .bug
        default: .unavailable
        }
    }
}
