/// Looks for hosts by mDNS for as long as it lives, through the Avahi daemon's absence and restart.
///
/// Nothing here waits for Avahi or D-Bus, with one exception: `stop` waits for at most half a second.
package final class Browser: Sendable {
    private let loop: EventLoop?
    private let core: BrowserCore?

    /// Starts to look.
    ///
    /// `onChange` runs on the browser's own thread whenever the report has changed, is to return at once, and must not
    /// drop the last reference to the browser.
    package init(onChange: @escaping @Sendable (BrowsingReport) -> Void) {
        loop = EventLoop()
        guard let loop else {
            core = nil
            onChange(BrowsingReport(hosts: [], progress: .unavailable(reason: "the system has no thread left for it")))
            return
        }
        let core = BrowserCore(on: loop, onChange: onChange)
        self.core = core
        loop.post { core.open() }
    }

    deinit {
        stop()
    }

    /// Ends the search for good.
    package func stop() {
        guard let loop, let core else { return }
        loop.stop { core.close() }
    }
}
