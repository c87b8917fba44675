internal import RemoteCore
package import TextScreen
package import WireProtocol

/// The full-screen remote, without a terminal, a socket or a clock: events in, intents out, and a picture of its state.
///
/// After every event perform the intents in order, hand in what comes of them, draw once all is handed in, and `tick` at
/// `nextDeadline`. `now` must never go back.
package struct RemoteScreen: Sendable {
    enum Page: Int, CaseIterable {
        case transport
        case cues
        case tracks
    }

    /// What lies over the pages and takes the keys.
    enum Overlay {
        case none
        /// The address of a host.
        case address(LineInput)
        case search(CueSearching)
        /// The last jumps, the latest first; which is chosen.
        case jumps(Int)
        /// All keys; rows that are scrolled away.
        case help(Int)
    }

    let options: Options
    let measure: TextMeasure
    var size: ScreenSize
    var finding: HostFinding
    var view: RemoteView?
    /// As of the machine's last state: it tells when the host's value is to be shown again.
    var linkedVolume: Double?
    var page = Page.transport
    var overlay = Overlay.none
    var pending = PendingWishes()
    var browsing = CueBrowsing()
    var finder = CueFinder()
    /// Place of the chosen track, until another is active.
    var chosenTrack: Int?
    /// Oldest first.
    var jumps: [Jump] = []
    var notice: Notice?
    /// When the last wish was settled.
    var lastSettled: SteadyTime?
    /// Whether the next anchor can be compared with the one held; not across a reconnect.
    var isComparable = false
    var lastTouch: SteadyTime
    /// Until then a host that has just greeted may still tell what it plays.
    var greetedUntil: SteadyTime?
    private var intents: [Intent] = []

    package init(options: Options, size: ScreenSize, measure: TextMeasure, now: SteadyTime) {
        self.options = options
        self.size = size
        self.measure = measure
        finding = HostFinding(remembered: options.rememberedHostID, address: options.address, now: now)
        lastTouch = now
    }

    package mutating func handle(_ event: Event, now: SteadyTime) -> [Intent] {
        if let until = greetedUntil, until <= now { greetedUntil = nil }
        switch event {
        case .input(let input): take(input, now)
        case .link(let view): takeLink(view, now)
        case .finished(let ticket, let result): takeFinished(ticket, result, now)
        case .hosts(let hosts, let searchFailure): finding.heard(hosts, searchFailure: searchFailure, now: now)
        case .linkFailed(let sentence): finding.linkFailure = SafeText.line(sentence)
        case .tick: break
        }
        if !isTypingAddress, let host = finding.automatic(at: now) { connect(to: host) }
        defer { intents = [] }
        return intents
    }

    /// What is to be seen at `now`.
    package func canvas(at now: SteadyTime) -> Canvas {
        picture(at: now).canvas
    }

    mutating func want(_ intent: Intent) {
        intents.append(intent)
    }

    mutating func connect(to host: HostEntry) {
        finding.stage = .settled(host.name.isEmpty ? host.address : host.name)
        finding.linkFailure = nil
        want(.connect(host))
    }

    private var isTypingAddress: Bool {
        if case .address = overlay { true } else { false }
    }
}
