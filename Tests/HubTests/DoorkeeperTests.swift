import Hub
import Testing
import WireProtocol

@Suite("Who comes in")
struct DoorkeeperTests {
    /// A house in which these have a place.
    private func house(places: Int, seated: Range<Int>) -> Doorkeeper {
        var doorkeeper = Doorkeeper(places: places)
        for id in seated {
            #expect(doorkeeper.arrived(id) == .welcome)
            #expect(doorkeeper.spoke(id) == true)
        }
        return doorkeeper
    }

    @Test("silent connections take no place, however many come")
    func silentOnes() {
        var doorkeeper = Doorkeeper(places: 2)
        for id in 0..<5_000 { #expect(doorkeeper.arrived(id) != .full) }
        #expect(doorkeeper.arrived(9_000) != .full)
        #expect(doorkeeper.spoke(9_000) == true)
    }

    @Test("when too many are silent, the oldest of them goes; never one that has spoken")
    func oldestGoes() {
        var doorkeeper = house(places: 2, seated: 0..<1)
        for id in 1...Limits.silentConnections { #expect(doorkeeper.arrived(id) == .welcome) }
        #expect(doorkeeper.arrived(1_000) == .welcomeInstead(of: 1))
        #expect(doorkeeper.spoke(2) == true)
        #expect(doorkeeper.arrived(1_001) == .full)
        doorkeeper.left(0)
        #expect(doorkeeper.arrived(1_002) == .welcome, "the second spoke, so there is room")
        #expect(doorkeeper.arrived(1_003) == .welcomeInstead(of: 3))
    }

    @Test("beyond its places the house is full, and has room again when one leaves or is to go")
    func full() {
        var doorkeeper = house(places: 3, seated: 0..<3)
        #expect(doorkeeper.arrived(10) == .full)
        #expect(doorkeeper.mayTakeLeave(10) == true)
        #expect(doorkeeper.mayTakeLeave(1) == true, "one on its way out takes no place")
        #expect(doorkeeper.arrived(11) == .welcome)
        #expect(doorkeeper.spoke(11) == true)
        #expect(doorkeeper.arrived(12) == .full)
        doorkeeper.left(0)
        #expect(doorkeeper.arrived(13) == .welcome)
    }

    @Test("of two that came for one place, the one that speaks first has it")
    func race() {
        var doorkeeper = house(places: 2, seated: 0..<1)
        #expect(doorkeeper.arrived(1) == .welcome)
        #expect(doorkeeper.arrived(2) == .welcome)
        #expect(doorkeeper.spoke(2) == true)
        #expect(doorkeeper.spoke(1) == false)
    }

    @Test("so many are told why they go, and the next when one of them is gone")
    func takingLeave() {
        var doorkeeper = house(places: 1, seated: 0..<1)
        for id in 1...Limits.closingConnections {
            #expect(doorkeeper.arrived(id) == .full)
            #expect(doorkeeper.mayTakeLeave(id) == true)
        }
        #expect(doorkeeper.mayTakeLeave(500) == false)
        doorkeeper.left(1)
        #expect(doorkeeper.mayTakeLeave(501) == true)
        #expect(doorkeeper.mayTakeLeave(502) == false)
    }

    @Test("whatever order they come, speak and go in, the numbers hold")
    func anyOrder() {
        var random = SystemRandomNumberGenerator()
        var doorkeeper = Doorkeeper(places: 5)
        var silent: [Int] = []
        var seated: Set<Int> = []
        var leaving: Set<Int> = []
        for id in 0..<20_000 {
            switch doorkeeper.arrived(id) {
            case .welcome: silent.append(id)
            case .welcomeInstead(let other):
                #expect(silent.first == other)
                silent.removeFirst()
                silent.append(id)
                if doorkeeper.mayTakeLeave(other) { leaving.insert(other) }
            case .full:
                #expect(seated.count == 5)
                if doorkeeper.mayTakeLeave(id) { leaving.insert(id) }
            }
            if Int.random(in: 0..<3, using: &random) == 0, let speaker = silent.randomElement(using: &random) {
                silent.removeAll { $0 == speaker }
                if doorkeeper.spoke(speaker) { seated.insert(speaker) } else { doorkeeper.left(speaker) }
            }
            if Int.random(in: 0..<4, using: &random) == 0, let leaver = seated.randomElement(using: &random) {
                seated.remove(leaver)
                doorkeeper.left(leaver)
            }
            if Int.random(in: 0..<2, using: &random) == 0, let gone = leaving.randomElement(using: &random) {
                leaving.remove(gone)
                doorkeeper.left(gone)
            }
            #expect(silent.count <= Limits.silentConnections)
            #expect(seated.count <= 5)
            #expect(leaving.count <= Limits.closingConnections)
        }
    }
}
