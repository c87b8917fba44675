internal import Discovery
internal import LinuxSystem
internal import Transport

/// The host's mDNS announcement, with what becomes of it told on the loop.
final class Announcement {
    private let advertiser: Advertiser
    private let mailbox = Mailbox<AdvertisingEvent>()
    private var watch: EventLoop.Watch?

    /// Announces at once and never waits; without Avahi the host runs on and says so.
    init(_ identity: HostIdentity, at endpoint: Endpoint, loop: EventLoop, reporter: Reporter) {
        let address = endpoint.text
        let mailbox = self.mailbox
        advertiser = Advertiser(
            HostAdvertisement(
                name: identity.name, port: endpoint.port, reach: .thisMachine,
                text: ServiceText(hostID: identity.id, security: .none))
        ) { mailbox.post($0) }
        watch = try? loop.watch(mailbox.descriptor) { _ in
            for event in mailbox.drain() {
                switch event {
                case .established(let name): reporter.announced(as: name)
                case .renamed: break
                case .unavailable(let reason): reporter.announcementFailed(reason, address: address)
                }
            }
        }
    }

    /// Takes the announcement back, so that remotes forget the host at once.
    func withdraw() {
        advertiser.withdraw()
        mailbox.close()
    }
}
