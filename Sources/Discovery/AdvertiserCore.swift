internal import CAvahi
internal import Glibc

/// Announces a host whenever the daemon is there, under the first name that is free.
// Unchecked: after its making touched on the loop's thread only.
final class AdvertiserCore: @unchecked Sendable {
    /// Names tried in a row; more names taken than this is no accident.
    private static let maximumNames = 50

    private let loop: EventLoop
    private let onEvent: @Sendable (AdvertisingEvent) -> Void
    private var advertisement: HostAdvertisement
    private var name: String
    private var namesTried = 0
    private var connection: DaemonConnection?
    private var client: Client?
    private var group: EntryGroup?
    /// Counts groups, to tell late news of a dropped one.
    private var generation = 0
    private var lastEvent: AdvertisingEvent?

    init(
        _ advertisement: HostAdvertisement, on loop: EventLoop, onEvent: @escaping @Sendable (AdvertisingEvent) -> Void
    ) {
        self.loop = loop
        self.onEvent = onEvent
        self.advertisement = advertisement
        name = advertisement.name
    }

    func open() {
        let connection = DaemonConnection(on: loop) { [weak self] change in self?.connectionChanged(change) }
        self.connection = connection
        connection.open()
    }

    func close() {
        drop()
        connection?.close()
        connection = nil
    }

    func update(_ text: ServiceText) {
        guard text != advertisement.text else { return }
        advertisement.text = text
        // Without a group the new text goes out with the next announcement.
        guard let group else { return }
        do throws(AvahiError) {
            try group.update(text, of: name, interface: interface)
        } catch {
            report(.unavailable(reason: error.reason))
        }
    }

    private var interface: Int32 {
        switch advertisement.reach {
        case .thisMachine: Int32(if_nametoindex("lo"))
        case .network: Int32(AVAHI_IF_UNSPEC)
        }
    }

    private func connectionChanged(_ change: DaemonConnection.Change) {
        switch change {
        case .running(let client):
            self.client = client
            if group == nil { announce(to: client) }
        case .settling:
            // The records name the machine, whose name is changing; `running` follows.
            drop()
        case .lost(let reason):
            drop()
            report(.unavailable(reason: reason))
        }
    }

    /// Forgets the group; the next announcement tries the wanted name first.
    private func drop() {
        group = nil
        client = nil
        generation += 1
        name = advertisement.name
        namesTried = 0
    }

    private func announce(to client: Client) {
        while true {
            do throws(AvahiError) {
                // The old group's name is free only once it is gone.
                group = nil
                generation += 1
                let number = generation
                let group = try EntryGroup(of: client, on: loop) { [weak self] state in
                    self?.groupChanged(state, number)
                }
                try group.announce(advertisement, as: name, interface: interface)
                self.group = group
                return
            } catch {
                guard error == .collision, takeNextName() else {
                    report(.unavailable(reason: error.reason))
                    return
                }
            }
        }
    }

    private func groupChanged(_ state: EntryGroup.State, _ number: Int) {
        guard number == generation, let client else { return }
        switch state {
        case .pending: break
        case .established:
            if name != advertisement.name { report(.renamed(from: advertisement.name, to: name)) }
            report(.established(name: name))
        case .collision:
            guard takeNextName() else { return report(.unavailable(reason: "every name it tried is taken")) }
            announce(to: client)
        case .failed(let error):
            report(.unavailable(reason: error.reason))
        }
    }

    /// Moves on to Avahi's next suggestion (`Name #2`).
    private func takeNextName() -> Bool {
        guard namesTried < Self.maximumNames, let text = avahi_alternative_service_name(name) else { return false }
        defer { avahi_free(text) }
        namesTried += 1
        name = String(cString: text)
        return true
    }

    private func report(_ event: AdvertisingEvent) {
        guard event != lastEvent else { return }
        lastEvent = event
        onEvent(event)
    }
}
