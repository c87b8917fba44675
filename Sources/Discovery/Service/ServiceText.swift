internal import WireProtocol

/// What the TXT record of an `_allspeak._tcp` service says.
///
/// It is a hint that helps to choose a host; the `hello` of the connection is the truth. The keys and their defaults are
/// those of `Protocol/README.md`; unknown keys are ignored.
package struct ServiceText: Equatable, Sendable {
    /// How a connection to the host is protected.
    package enum Security: String, Sendable {
        /// Plain text, which a host offers on loopback only.
        case none
        case tls
    }

    /// The host's stable identity, the same over every interface and after a rename.
    package var hostID: String?
    /// Versions of the wire protocol the host speaks.
    package var protocolVersions: ClosedRange<Int>
    package var security: Security
    /// The start of the certificate's hash: it finds a stored pin and proves nothing.
    package var fingerprint: String?
    /// Whether the user has opened pairing on the host.
    package var isPairing: Bool

    package init(
        hostID: String?, protocolVersions: ClosedRange<Int> = 1...1, security: Security, fingerprint: String? = nil,
        isPairing: Bool = false
    ) {
        self.hostID = hostID
        self.protocolVersions = protocolVersions
        self.security = security
        self.fingerprint = fingerprint
        self.isPairing = isPairing
    }

    /// Reads a stranger's record: what is missing, over-long or not understood counts as absent.
    ///
    /// Without a word about security a host counts as `tls`, so that nobody is talked into plain text by leaving a key
    /// out.
    package init(strings: [[UInt8]]) {
        let values = Self.values(of: strings)
        hostID = values["id"].flatMap { Self.token($0, maximumBytes: Limits.identifierBytes) }
        protocolVersions = values["pv"].flatMap(Self.versions) ?? 1...1
        security = values["sec"].map { $0.elementsEqual("none".utf8) } == true ? .none : .tls
        fingerprint = values["fp"].flatMap { Self.token($0, maximumBytes: 64) }
        isPairing = values["pair"] == [UInt8(ascii: "1")]
    }

    /// The record's strings in the order they are announced; `txtvers` first, as RFC 6763 §6.7 asks.
    package var strings: [[UInt8]] {
        let versions =
            protocolVersions.count == 1
            ? "\(protocolVersions.lowerBound)" : "\(protocolVersions.lowerBound)-\(protocolVersions.upperBound)"
        var pairs = ["txtvers=1", "pv=\(versions)"]
        if let hostID { pairs.append("id=\(hostID)") }
        pairs.append("sec=\(security.rawValue)")
        if let fingerprint { pairs.append("fp=\(fingerprint)") }
        if security == .tls { pairs.append("pair=\(isPairing ? 1 : 0)") }
        return pairs.map { Array($0.utf8) }
    }

    /// The pairs of a record by lower-case key; of equal keys the first counts (RFC 6763 §6.4).
    ///
    /// A record of another format (`txtvers`) has no pairs for us.
    private static func values(of strings: [[UInt8]]) -> [String: ArraySlice<UInt8>] {
        var values: [String: ArraySlice<UInt8>] = [:]
        // 64: ten times the keys we know; RFC 6763 §6.2 has a whole record stay under 1300 bytes.
        for string in strings.prefix(64) {
            guard let equals = string.firstIndex(of: UInt8(ascii: "=")), (1...9).contains(equals),
                let key = token(string[..<equals], maximumBytes: 9)?.lowercased(), values[key] == nil
            else { continue }
            values[key] = string[(equals + 1)...]
        }
        if let format = values["txtvers"], format != [UInt8(ascii: "1")] { return [:] }
        return values
    }

    /// Visible ASCII without spaces, or nothing: a mended identifier could become somebody else's.
    private static func token(_ bytes: ArraySlice<UInt8>, maximumBytes: Int) -> String? {
        guard !bytes.isEmpty, bytes.count <= maximumBytes, bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `1` or `1-3`.
    private static func versions(_ bytes: ArraySlice<UInt8>) -> ClosedRange<Int>? {
        guard let text = token(bytes, maximumBytes: 9) else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
        guard ends.count <= 2, let low = ends.first ?? nil, let high = ends.last ?? nil, low >= 1, low <= high
        else { return nil }
        return Int(low)...Int(high)
    }
}
