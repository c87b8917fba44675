internal import CAvahi
internal import Glibc

/// Follows the address, port and text of one announcement for one address family.
final class ServiceResolver {
    private let raw: OpaquePointer
    private let client: Client
    private let observer: Observer

    /// `onAnswer` runs on the loop's thread whenever the answer changes, with `nil` where there is none, and must not free
    /// the resolver.
    ///
    /// - Throws: `AvahiError`.
    init(
        of client: Client, _ key: ServiceKey, family: DiscoveredHost.Endpoint.Family,
        onAnswer: @escaping (ServiceResolution?) -> Void
    ) throws(AvahiError) {
        let observer = Observer(report: onAnswer)
        guard
            let raw = avahi_service_resolver_new(
                client.raw, key.interface, key.transport, key.name, serviceType, key.domain,
                Int32(family == .ipv4 ? AVAHI_PROTO_INET : AVAHI_PROTO_INET6), AvahiLookupFlags(0), serviceResolved,
                Unmanaged.passUnretained(observer).toOpaque())
        else { throw client.lastError }
        self.raw = raw
        self.client = client
        self.observer = observer
    }

    deinit {
        avahi_service_resolver_free(raw)
    }

    fileprivate final class Observer {
        let report: (ServiceResolution?) -> Void

        init(report: @escaping (ServiceResolution?) -> Void) {
            self.report = report
        }
    }
}

private func serviceResolved(
    _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ transport: AvahiProtocol, _ event: AvahiResolverEvent,
    _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
    _ text: UnsafeMutablePointer<AvahiStringList>?,
    _ flags: AvahiLookupResultFlags, _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let observer = Unmanaged<ServiceResolver.Observer>.fromOpaque(context).takeUnretainedValue()
    guard event == AVAHI_RESOLVER_FOUND, let address = address.flatMap(serviceAddress) else {
        observer.report(nil)
        return
    }
    let isLocal = flags.rawValue & (AVAHI_LOOKUP_RESULT_LOCAL.rawValue | AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue) != 0
    observer.report(
        ServiceResolution(
            address: address, port: port, interface: interfaceName(interface), isOnThisMachine: isLocal,
            text: ServiceText(strings: StringList.strings(of: text))))
}

private func serviceAddress(_ address: UnsafePointer<AvahiAddress>) -> ServiceAddress? {
    var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
    guard avahi_address_snprint(&text, text.count, address) != nil else { return nil }
    let count = address.pointee.proto == Int32(AVAHI_PROTO_INET) ? 4 : 16
    let bytes = withUnsafeBytes(of: address.pointee.data) { Array($0.prefix(count)) }
    let end = text.firstIndex(of: 0) ?? text.endIndex
    return ServiceAddress(
        bytes: bytes, text: String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

/// The interface's name, or its number where it has just gone.
private func interfaceName(_ index: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard index > 0, if_indextoname(UInt32(index), &buffer) != nil else { return String(index) }
    let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
    return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
