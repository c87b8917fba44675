internal import WireProtocol

/// What a host tells its network about itself.
package struct HostAdvertisement: Equatable, Sendable {
    /// Where the advertisement may be heard.
    package enum Reach: Sendable {
        /// The loopback interface only: for a host that listens on loopback, since an address heard elsewhere would
        /// lead nowhere.
        case thisMachine
        /// Every interface the Avahi daemon uses.
        case network
    }

    /// The instance name people see: a host's name, never a film's title; 1 to 63 bytes of UTF-8 (RFC 6763 §4.1.1).
    package let name: String
    /// The port remotes connect to.
    package let port: UInt16
    package let reach: Reach
    package var text: ServiceText

    /// Takes the name without control characters and cuts it to what a service name may hold.
    package init(name: String, port: UInt16, reach: Reach, text: ServiceText) {
        self.name = Self.instanceName(name)
        self.port = port
        self.reach = reach
        self.text = text
    }

    static func instanceName(_ name: String) -> String {
        var result = ""
        for character in SafeText.line(name, maximumCharacters: Limits.nameCharacters) {
            if result.utf8.count + character.utf8.count > 63 { break }
            result.append(character)
        }
        return result.isEmpty ? "Allspeak" : result
    }
}

/// What became of an advertisement.
package enum AdvertisingEvent: Equatable, Sendable {
    /// Remotes can find the host, under `name`.
    case established(name: String)
    /// Another service already has the wanted name.
    case renamed(from: String, to: String)
    /// Nobody can find the host by mDNS for now, for a reason told as a clause; the advertiser keeps trying.
    case unavailable(reason: String)
}
