package import WireProtocol

/// What goes wrong, in sentences that every shell shows alike.
extension CommandFailure {
    /// One line: what happened, and what to do where that is not plain.
    package var sentence: String {
        switch self {
        case .notSent: "The connection to the host is gone; nothing was sent. Try again."
        case .lost: "The host did not answer. It may have done what you asked."
        case .refused(let error): error.sentence
        }
    }
}

extension WireError {
    /// What the host said was wrong, safe to show; by its code where it has no sentence to it.
    package var sentence: String {
        let told = SafeText.line(message)
        return told.isEmpty ? "The host answers with the error \(code.rawValue)." : told
    }
}

extension EndReason {
    /// One line: why nothing more is tried.
    package var sentence: String {
        switch self {
        case .incompatible(let version):
            let theirs = version.map { "protocol \($0)" } ?? "another protocol"
            return "The host speaks \(theirs), this remote protocol 1. Update the older of the two."
        case .unauthorized: return "The host does not know this remote. Pair them first."
        case .finished, .stopped: return "The host ended the connection."
        }
    }
}
