internal import WireProtocol

/// Decides who comes in and who goes: counts the connections by what they have done so far.
///
/// A place is for who has spoken. Those that have said nothing yet wait beside the places, so that any number of silent
/// connections locks nobody out; and so do those that are being closed.
package struct Doorkeeper: Sendable {
    package enum Answer: Equatable, Sendable {
        case welcome
        /// That one, silent for longer than any other, has to go.
        case welcomeInstead(of: Int)
        /// All places are taken.
        case full
    }

    /// Connections at once that have spoken.
    package let places: Int
    private var seated: Set<Int> = []
    /// In the order of their coming.
    private var silent: [Int] = []
    private var leaving: Set<Int> = []

    package init(places: Int) {
        self.places = places
    }

    /// Someone has connected; whoever has to go is then to be shown out by `mayTakeLeave`.
    package mutating func arrived(_ id: Int) -> Answer {
        guard seated.count < places else { return .full }
        silent.append(id)
        guard silent.count > Limits.silentConnections else { return .welcome }
        // A real remote speaks at once, so this is the least likely to be one.
        return .welcomeInstead(of: silent.removeFirst())
    }

    /// Who has been here longest without a word.
    package var longestSilent: Int? { silent.first }

    /// It has said the first thing that could be understood; false if others have taken the last place meanwhile.
    package mutating func spoke(_ id: Int) -> Bool {
        silent.removeAll { $0 == id }
        guard seated.count < places else { return false }
        seated.insert(id)
        return true
    }

    /// It is to go; true if there is room for it to be told so, else it is cut off at once.
    package mutating func mayTakeLeave(_ id: Int) -> Bool {
        left(id)
        guard leaving.count < Limits.closingConnections else { return false }
        leaving.insert(id)
        return true
    }

    /// It is gone.
    package mutating func left(_ id: Int) {
        silent.removeAll { $0 == id }
        seated.remove(id)
        leaving.remove(id)
    }
}
