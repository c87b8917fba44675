internal import CAvahi

/// A connection to the Avahi daemon; every object made from it holds on to it.
final class Client {
    enum State {
        /// Reachable and ready for everything.
        case running
        /// Reachable, but the machine's own name is being negotiated: services have to wait.
        case settling
        /// Not there; this client notices by itself when the daemon comes.
        case waiting
        /// Of no more use.
        case failed(AvahiError)
    }

    let raw: OpaquePointer
    private let loop: EventLoop
    private let observer: Observer

    /// Connects; states arrive as jobs of the loop, never from within a call.
    ///
    /// - Throws: `AvahiError`, above all where there is no D-Bus system bus.
    init(on loop: EventLoop, onState: @escaping @Sendable (State) -> Void) throws(AvahiError) {
        let observer = Observer { state in loop.post { onState(state) } }
        var code: Int32 = 0
        guard
            let raw = avahi_client_new(
                loop.api, AVAHI_CLIENT_NO_FAIL, clientChanged, Unmanaged.passUnretained(observer).toOpaque(), &code)
        else { throw AvahiError(code: code) }
        self.raw = raw
        self.loop = loop
        self.observer = observer
    }

    deinit {
        avahi_client_free(raw)
    }

    /// What the last call that failed was refused for.
    var lastError: AvahiError { AvahiError(code: avahi_client_errno(raw)) }

    fileprivate final class Observer {
        let report: (State) -> Void

        init(report: @escaping (State) -> Void) {
            self.report = report
        }
    }
}

private func clientChanged(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?
) {
    guard let client, let context else { return }
    let observer = Unmanaged<Client.Observer>.fromOpaque(context).takeUnretainedValue()
    switch state {
    case AVAHI_CLIENT_S_RUNNING: observer.report(.running)
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: observer.report(.settling)
    case AVAHI_CLIENT_CONNECTING: observer.report(.waiting)
    default: observer.report(.failed(AvahiError(code: avahi_client_errno(client))))
    }
}
