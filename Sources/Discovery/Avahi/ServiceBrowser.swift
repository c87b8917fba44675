internal import CAvahi

/// Hears which services of our type come and go.
final class ServiceBrowser {
    enum Event {
        case appeared(ServiceKey)
        case vanished(ServiceKey)
        case allForNow
        case failed(AvahiError)
    }

    private let raw: OpaquePointer
    private let client: Client
    private let observer: Observer

    /// Browses on every interface; `onEvent` runs on the loop's thread and must not free the browser.
    ///
    /// - Throws: `AvahiError`.
    init(of client: Client, onEvent: @escaping (Event) -> Void) throws(AvahiError) {
        let observer = Observer(report: onEvent)
        guard
            let raw = avahi_service_browser_new(
                client.raw, Int32(AVAHI_IF_UNSPEC), Int32(AVAHI_PROTO_UNSPEC), serviceType, nil, AvahiLookupFlags(0),
                browserHeard,
                Unmanaged.passUnretained(observer).toOpaque())
        else { throw client.lastError }
        self.raw = raw
        self.client = client
        self.observer = observer
    }

    deinit {
        avahi_service_browser_free(raw)
    }

    fileprivate final class Observer {
        let report: (Event) -> Void

        init(report: @escaping (Event) -> Void) {
            self.report = report
        }
    }
}

private func browserHeard(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol, _ event: AvahiBrowserEvent,
    _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
    guard let browser, let context else { return }
    let observer = Unmanaged<ServiceBrowser.Observer>.fromOpaque(context).takeUnretainedValue()
    switch event {
    case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
        guard let name, let domain else { return }
        let key = ServiceKey(
            interface: interface, transport: transport, name: String(cString: name), domain: String(cString: domain))
        observer.report(event == AVAHI_BROWSER_NEW ? .appeared(key) : .vanished(key))
    case AVAHI_BROWSER_ALL_FOR_NOW: observer.report(.allForNow)
    case AVAHI_BROWSER_FAILURE:
        let code = avahi_client_errno(avahi_service_browser_get_client(browser))
        observer.report(.failed(AvahiError(code: code)))
    default: break
    }
}
