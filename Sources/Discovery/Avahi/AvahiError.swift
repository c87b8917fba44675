internal import CAvahi

/// A refusal by the Avahi library or daemon.
struct AvahiError: Error, Equatable {
    /// One of the library's `AVAHI_ERR_…`.
    let code: Int32

    static let noDaemon = AvahiError(code: Int32(AVAHI_ERR_NO_DAEMON))
    /// The name is taken.
    static let collision = AvahiError(code: Int32(AVAHI_ERR_COLLISION))

    /// The reason as a clause that can follow a colon.
    var reason: String {
        switch Int(code) {
        case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED: return "the Avahi daemon is not running"
        case AVAHI_ERR_DBUS_ERROR: return "the D-Bus system bus, over which Avahi is reached, does not answer"
        default: break
        }
        guard let text = avahi_strerror(code) else { return "Avahi error \(code)" }
        return "Avahi says: " + String(cString: text)
    }
}
