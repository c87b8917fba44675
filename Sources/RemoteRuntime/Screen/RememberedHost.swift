internal import LinuxSystem
internal import Transport
internal import WireProtocol

/// The host that this user's remote was connected to last, kept for the next start.
struct RememberedHost: Equatable {
    /// By which a host is known again, whatever its address.
    var id: String
    var name: String
    /// Where it was, to be tried while it is looked for.
    var endpoints: [Endpoint]

    private static let maximumFileBytes = 16 << 10
    /// A laptop has a few addresses; each that leads nowhere would cost a connection at every start.
    private static let mostEndpoints = 8

    private static var path: String { Directories.state + "/last-host.json" }

    /// What is kept; `nil` where nothing is, or nothing of use.
    static func read() -> RememberedHost? {
        guard let bytes = try? Files.read(path, maximumBytes: maximumFileBytes),
            let value = try? JSONReader.value(of: bytes)
        else { return nil }
        return RememberedHost(value)
    }

    /// Keeps it; where it cannot be kept, the next start finds the host by itself.
    func keep() {
        try? Files.makeDirectory(Directories.state)
        try? Files.replace(Self.path, with: bytes)
    }
}

extension RememberedHost {
    init?(_ value: JSONValue) {
        guard let id = value["id"]?.identifierValue, let name = value["name"]?.stringValue,
            case .array(let places)? = value["endpoints"]
        else { return nil }
        self.id = id
        self.name = SafeText.line(name, maximumCharacters: Limits.nameCharacters)
        endpoints = places.prefix(Self.mostEndpoints).compactMap { place in
            guard let address = place["address"]?.stringValue, let number = place["port"]?.integerValue,
                let port = UInt16(exactly: number), port > 0
            else { return nil }
            return Endpoint(address: address, port: port)
        }
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(
            .object([
                .init("id", .string(id)), .init("name", .string(name)),
                .init(
                    "endpoints",
                    .array(
                        endpoints.prefix(Self.mostEndpoints).map {
                            .object([
                                .init("address", .string($0.address)), .init("port", .integer(Int($0.port))),
                            ])
                        })),
            ]))
        return writer.bytes
    }
}
