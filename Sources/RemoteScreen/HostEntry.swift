internal import WireProtocol

/// A host that can be chosen.
package struct HostEntry: Equatable, Sendable {
    /// By which it is known again; `nil` for one that tells none.
    package var id: String?
    /// Safe to show.
    package var name: String
    /// Safe to show.
    package var address: String
    package var isOnThisMachine: Bool

    /// Name and address are made safe to show.
    package init(id: String?, name: String, address: String, isOnThisMachine: Bool) {
        self.id = id
        self.name = SafeText.line(name, maximumCharacters: Limits.nameCharacters)
        self.address = SafeText.line(address)
        self.isOnThisMachine = isOnThisMachine
    }
}
