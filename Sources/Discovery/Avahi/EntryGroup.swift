internal import CAvahi

/// Services announced together; freeing it withdraws them.
final class EntryGroup {
    enum State: Sendable {
        case pending
        case established
        /// The name is taken by another machine.
        case collision
        case failed(AvahiError)
    }

    private let raw: OpaquePointer
    private let client: Client
    private let observer: Observer

    /// States arrive as jobs of the loop, never from within a call.
    ///
    /// - Throws: `AvahiError`.
    init(
        of client: Client, on loop: EventLoop, onState: @escaping @Sendable (State) -> Void
    ) throws(AvahiError) {
        let observer = Observer { state in loop.post { onState(state) } }
        guard
            let raw = avahi_entry_group_new(
                client.raw, groupChanged, Unmanaged.passUnretained(observer).toOpaque())
        else { throw client.lastError }
        self.raw = raw
        self.client = client
        self.observer = observer
    }

    deinit {
        avahi_entry_group_free(raw)
    }

    /// Announces one service.
    ///
    /// - Throws: `AvahiError`, with `AVAHI_ERR_COLLISION` for a name this daemon already announces.
    func announce(_ service: HostAdvertisement, as name: String, interface: Int32) throws(AvahiError) {
        let text = StringList(service.text.strings)
        try check(
            avahi_entry_group_add_service_strlst(
                raw, interface, Int32(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name, serviceType, nil, nil,
                service.port,
                text.raw))
        try check(avahi_entry_group_commit(raw))
    }

    /// Replaces the TXT record of the announced service.
    ///
    /// - Throws: `AvahiError`.
    func update(_ text: ServiceText, of name: String, interface: Int32) throws(AvahiError) {
        let text = StringList(text.strings)
        try check(
            avahi_entry_group_update_service_txt_strlst(
                raw, interface, Int32(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name, serviceType, nil, text.raw))
    }

    private func check(_ result: Int32) throws(AvahiError) {
        if result < 0 { throw AvahiError(code: result) }
    }

    fileprivate final class Observer {
        let report: (State) -> Void

        init(report: @escaping (State) -> Void) {
            self.report = report
        }
    }
}

/// Registered type of the wire protocol's service.
let serviceType = "_allspeak._tcp"

private func groupChanged(
    _ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ context: UnsafeMutableRawPointer?
) {
    guard let group, let context else { return }
    let observer = Unmanaged<EntryGroup.Observer>.fromOpaque(context).takeUnretainedValue()
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: observer.report(.established)
    case AVAHI_ENTRY_GROUP_COLLISION: observer.report(.collision)
    case AVAHI_ENTRY_GROUP_FAILURE:
        observer.report(.failed(AvahiError(code: avahi_client_errno(avahi_entry_group_get_client(group)))))
    default: observer.report(.pending)
    }
}
