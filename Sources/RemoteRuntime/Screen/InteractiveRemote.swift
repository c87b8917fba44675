internal import Discovery
internal import LinuxSystem
internal import RemoteCore
internal import RemoteScreen
internal import TerminalUI
internal import TextScreen
internal import Transport
internal import WireProtocol

/// The remote that a person works with: the model of `RemoteScreen` between a face, the hosts that are heard, and a
/// connection.
///
/// Confined to its loop.
final class InteractiveRemote {
    let loop: EventLoop
    private let face: any RemoteFace
    let finder: HostFinder
    private let identity = RemoteIdentity.ofThisUser()
    private let cache = CueCache(folder: Directories.cache)
    private var lookup: AddressLookup?
    var screen: RemoteScreen
    private var link: RemoteLink?
    var remembered: RememberedHost?
    /// The last host at its last address, tried while it is looked for; nothing is shown of it until it is that host.
    private var trial: RemoteLink?
    /// Events that came while another was handled.
    private var waiting: [RemoteScreen.Event] = []
    private var isHandling = false
    private var timer: EventLoop.Timer?
    private var wentOn: SteadyTime?
    private var hasQuit = false

    /// Seconds within which the loop tells a signal that was sent before.
    private static let echo = 0.5

    /// - Throws: `SystemError` when the system has no descriptor left.
    init(
        loop: EventLoop, face: any RemoteFace, finder: HostFinder, options: RemoteScreen.Options,
        remembered: RememberedHost?
    ) throws(SystemError) {
        self.loop = loop
        self.face = face
        self.finder = finder
        self.remembered = remembered
        screen = RemoteScreen(
            options: options, size: face.size, measure: face.measure, now: MonotonicClock.now())
        lookup = try AddressLookup(loop: loop) { [weak self] in self?.found($0) }
        _ = try loop.watch(face.inputDescriptor) { [weak self] _ in self?.readInput() }
    }

    /// Shows the first picture and begins to look for the host, or to connect to the one whose address was given.
    func start() {
        show()
        finder.onReport = { [weak self] in self?.tellHosts() }
        if let endpoints = finder.givenEndpoints {
            connect(to: endpoints, finder)
        } else {
            tellHosts()
            tryRemembered()
        }
    }

    /// Says goodbye to the host.
    func stop() {
        for link in [link, trial].compactMap(\.self) {
            link.onChange = { _ in }
            link.stop()
        }
    }

    // MARK: Events

    func handle(_ event: RemoteScreen.Event) {
        waiting.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !waiting.isEmpty {
            let intents = screen.handle(waiting.removeFirst(), now: MonotonicClock.now())
            for intent in intents { perform(intent) }
            if intents.contains(where: \.goesToHost), let link { waiting.append(.link(link.view)) }
        }
        isHandling = false
        show()
    }

    private func readInput() {
        guard let inputs = face.readInput() else { return loop.stop() }
        for input in inputs where !hasQuit { handle(.input(input)) }
    }

    /// The window has another size.
    func resized() {
        handle(.input(.resized(face.resized())))
    }

    private func show() {
        let now = MonotonicClock.now()
        face.show(screen, now: now)
        if let timer { loop.cancel(timer) }
        timer = face.nextDeadline(screen, after: now).map { deadline in
            loop.schedule(at: deadline) { [weak self] in
                self?.timer = nil
                self?.handle(.tick)
            }
        }
    }

    private func tellHosts() {
        let heard = finder.heard
        handle(.hosts(heard.hosts.map(\.entry), searchFailure: heard.failure))
    }

    private func found(_ result: Result<HostFinder.Wanted, Failure>) {
        switch result {
        case .failure(let failure): handle(.linkFailed(failure.message))
        case .success(.address(let endpoints)):
            do throws(SystemError) {
                connect(to: endpoints, try HostFinder(.address(endpoints), loop: loop))
            } catch {
                handle(.linkFailed("No connection can be made: \(error.sentence)"))
            }
        case .success(.announced(let name)):
            guard let host = finder.heard.hosts.first(where: { $0.isCalled(name) }) else {
                let sentence = "No host named \(SafeText.line(name)) is heard. Type its address, such as 192.168.1.20"
                return handle(.linkFailed(sentence))
            }
            connect(to: HostFinder.endpoints(host), finder)
        case .success(.any): break
        }
    }

    // MARK: Intents

    private func perform(_ intent: RemoteScreen.Intent) {
        switch intent {
        case .command(let command, let ticket): deliver(ticket) { $0.send(command, $1) }
        case .tapSkip(let seconds, let ticket): deliver(ticket) { $0.tapSkip(seconds, $1) }
        case .turnVolume(let volume, let ticket): deliver(ticket) { $0.turnVolume(volume, $1) }
        case .connect(let entry): connect(to: entry)
        case .connectTo(let address):
            do throws(SystemError) {
                try lookup?.find(address)
            } catch {
                handle(.linkFailed("The address cannot be looked up: \(error.sentence)"))
            }
        case .quit:
            // A key that came with it was not meant for the host any more.
            hasQuit = true
            loop.stop()
        case .suspend: suspend()
        case .bell: face.ringBell()
        case .redraw: face.redraw()
        }
    }

    private func deliver(
        _ ticket: Int,
        _ body: (RemoteLink, @escaping (Result<CommandReply, CommandFailure>) -> Void) -> Void
    ) {
        guard let link else { return handle(.finished(ticket: ticket, .failure(.notSent))) }
        body(link) { [weak self] result in self?.handle(.finished(ticket: ticket, result)) }
    }

    /// Stops until the user brings it back; by then the host may be elsewhere in the film.
    func suspend() {
        goOn(face.suspend())
        wentOn = MonotonicClock.now()
    }

    /// This process goes on, unless `suspend` has just said so.
    func continued() {
        if let wentOn, MonotonicClock.now() - wentOn < Self.echo { return }
        goOn(face.continued())
    }

    private func goOn(_ inputs: [ScreenInput]) {
        link?.wake()
        for input in inputs { handle(.input(input)) }
    }

    // MARK: Connections

    private func connect(to entry: HostEntry) {
        if let trial, let id = entry.id, id == trial.view.hostID { return adopt(trial) }
        guard let host = finder.heard.hosts.first(where: { $0.entry == entry }) else {
            return handle(.linkFailed("\(entry.name) is not heard any more."))
        }
        connect(to: HostFinder.endpoints(host), finder)
    }

    private func connect(to endpoints: [Endpoint], _ finder: HostFinder) {
        adopt(makeLink(endpoints, finder))
        link?.start()
    }

    private func makeLink(_ endpoints: [Endpoint], _ finder: HostFinder) -> RemoteLink {
        RemoteLink(loop: loop, finder: finder, endpoints: endpoints, identity: identity, cache: cache)
    }

    private func adopt(_ new: RemoteLink) {
        for old in [link, trial].compactMap(\.self) where old !== new {
            old.onChange = { _ in }
            old.onFailure = { _ in }
            old.stop()
        }
        trial = nil
        link = new
        new.onChange = { [weak self, unowned new] _ in
            self?.remember(new)
            self?.handle(.link(new.view))
        }
        new.onFailure = { [weak self] in self?.handle(.linkFailed("No host answers at \($0.sentence).")) }
        handle(.link(new.view))
    }

    /// Its last address may still be right, and is known at once.
    private func tryRemembered() {
        guard let remembered, finder.mayBeAny, !remembered.endpoints.isEmpty else { return }
        let link = makeLink(remembered.endpoints, finder)
        trial = link
        link.onChange = { [weak self, unowned link] _ in
            guard let self, trial === link, let id = link.view.hostID else { return }
            if id == remembered.id { return adopt(link) }
            // Another host lives there now: nobody has asked for it.
            trial = nil
            link.onChange = { _ in }
            link.stop()
        }
        link.start()
    }

    private func remember(_ link: RemoteLink) {
        guard case .connected = link.view.connection, let id = link.view.hostID else { return }
        let host = RememberedHost(id: id, name: link.view.hostName ?? "", endpoints: link.endpoints)
        guard host != remembered else { return }
        remembered = host
        host.keep()
    }
}

extension RemoteScreen.Intent {
    fileprivate var goesToHost: Bool {
        switch self {
        case .command, .tapSkip, .turnVolume: true
        case .connect, .connectTo, .quit, .suspend, .bell, .redraw: false
        }
    }
}

extension DiscoveredHost {
    fileprivate var entry: HostEntry {
        let place = HostFinder.endpoints(self).first?.text ?? ""
        return HostEntry(id: hostID, name: name, address: place, isOnThisMachine: isOnThisMachine)
    }

    fileprivate func isCalled(_ text: String) -> Bool {
        hostID == text || name.lowercased() == text.lowercased()
    }
}
