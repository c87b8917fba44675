/// The host's first line.
package struct HostHello: Equatable, Sendable {
    /// What a remote must prove; a word this version does not know reads as `token`, a missing one as `none`.
    package enum Authentication: String, Sendable {
        case none, token
    }

    package var protocolVersion: Int
    package var hostID: String
    package var hostName: String
    package var software: String
    package var serverDate: WireDate
    package var features: [String]
    package var authentication: Authentication

    package init(
        protocolVersion: Int = 1, hostID: String, hostName: String, software: String, serverDate: WireDate,
        features: [String], authentication: Authentication = .none
    ) {
        self.protocolVersion = protocolVersion
        self.hostID = hostID
        self.hostName = hostName
        self.software = software
        self.serverDate = serverDate
        self.features = features
        self.authentication = authentication
    }
}

/// A remote's introduction; from here on the host pushes to it.
package struct RemoteHello: Equatable, Sendable {
    /// Which cues a remote already has.
    package struct HeldCues: Equatable, Sendable {
        package var sessionID: String
        package var digest: String

        package init(sessionID: String, digest: String) {
            self.sessionID = sessionID
            self.digest = digest
        }
    }

    package var protocolVersion: Int
    package var remoteID: String
    package var remoteName: String
    package var token: String?
    package var cues: HeldCues?

    package init(
        protocolVersion: Int = 1, remoteID: String, remoteName: String, token: String? = nil, cues: HeldCues? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.remoteID = remoteID
        self.remoteName = remoteName
        self.token = token
        self.cues = cues
    }
}

/// Why a side closes on purpose; the other side's reconnect rule depends on it.
package enum GoodbyeReason: Equatable, Sendable {
    /// The host is going down for good: look for it again by discovery.
    case shutdown
    /// The peer is done.
    case finished
    /// Nothing was heard for too long.
    case timeout
    case other(String)

    package init(_ text: String) {
        switch text {
        case "shutdown": self = .shutdown
        case "finished": self = .finished
        case "timeout": self = .timeout
        default: self = .other(text)
        }
    }

    package var text: String {
        switch self {
        case .shutdown: "shutdown"
        case .finished: "finished"
        case .timeout: "timeout"
        case .other(let text): text
        }
    }
}
