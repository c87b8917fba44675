internal import RemoteCore
internal import TextScreen
internal import WireProtocol

/// Which rows are for what; the smaller the screen, the less there is beside the page itself.
struct Frame: Equatable {
    /// Connection and pages.
    var header: Int?
    var body: Range<Int>
    /// What just happened.
    var status: Int?
    /// Keys.
    var footer: Int?

    /// With trouble the connection has to be seen; with news there is something to say.
    init(rows: Int, hasTrouble: Bool, hasNews: Bool) {
        let hasHeader = rows >= 3 || (rows == 2 && hasTrouble)
        let hasStatus = rows >= 4 || (hasNews && rows - (hasHeader ? 1 : 0) >= 2)
        let hasFooter = rows >= 5
        header = hasHeader ? 0 : nil
        footer = hasFooter ? rows - 1 : nil
        let end = rows - (hasFooter ? 1 : 0)
        status = hasStatus ? end - 1 : nil
        body = (hasHeader ? 1 : 0)..<(hasStatus ? end - 1 : end)
    }
}

extension RemoteScreen {
    func frame(at now: SteadyTime) -> Frame {
        Frame(
            rows: size.rows, hasTrouble: connection(at: now).isTrouble, hasNews: news(at: now) != nil)
    }

    /// The one line below the page: what just happened, or what is wrong all the time.
    func news(at now: SteadyTime) -> (text: String, isWarning: Bool)? {
        if let notice = shownNotice(at: now) { return (notice.text, notice.isWarning) }
        if let failure = finding.linkFailure { return (failure, true) }
        if scene != .pages { return nil }
        if view?.output?.isPresent == false { return ("The sound device is gone; the host is paused.", true) }
        if view?.output?.isMuted == true { return ("The sound output is muted.", true) }
        return nil
    }

    /// How the connection stands, in a few words.
    func connection(at now: SteadyTime) -> (text: String, isTrouble: Bool) {
        let name = view?.hostName ?? ""
        switch view?.status {
        case .connected: return (name, false)
        case .noSession where greetedUntil != nil: return (name, false)
        case .noSession: return ("\(name): no session", false)
        case .reconnecting(let since):
            let ago = Wording.ago(Int(now - since))
            return (view?.hostHasEnded == true ? "Host ended \(ago) ago" : "Reconnecting, lost \(ago) ago", true)
        case .ended: return ("Disconnected", true)
        case .neverConnected, nil:
            if case .settled = finding.stage { return ("Connecting …", false) }
            return ("Not connected", false)
        }
    }
}
