/// Keeps a host findable by mDNS, through the Avahi daemon's absence, restart and name collisions.
///
/// Nothing here waits for Avahi or D-Bus, with one exception: `withdraw` waits for at most half a second.
package final class Advertiser: Sendable {
    private let loop: EventLoop?
    private let core: AdvertiserCore?

    /// Starts to advertise.
    ///
    /// `onEvent` runs on the advertiser's own thread, is to return at once, and must not drop the last reference to the
    /// advertiser.
    package init(_ advertisement: HostAdvertisement, onEvent: @escaping @Sendable (AdvertisingEvent) -> Void) {
        loop = EventLoop()
        guard let loop else {
            core = nil
            onEvent(.unavailable(reason: "the system has no thread left for it"))
            return
        }
        let core = AdvertiserCore(advertisement, on: loop, onEvent: onEvent)
        self.core = core
        loop.post { core.open() }
    }

    deinit {
        withdraw()
    }

    /// Changes what the TXT record says; more often than once a second is wasted on the network.
    package func update(_ text: ServiceText) {
        guard let loop, let core else { return }
        loop.post { core.update(text) }
    }

    /// Takes the service off the network for good; the daemon tells everybody at once.
    package func withdraw() {
        guard let loop, let core else { return }
        loop.stop { core.close() }
    }
}
