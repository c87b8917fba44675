import TerminalUI
import Testing

@testable import HostRuntime

@Suite("Room for remotes")
struct RoomTests {
    @Test("there is for all that were asked for, where the system allows enough")
    func enough() throws {
        let room = try Room(wanted: 64, allowed: Room.descriptors(for: 64))
        #expect(room.remotes == 64)
        #expect(room.sentence == nil)
    }

    @Test("for fewer there is where it allows less, and that is said")
    func fewer() throws {
        let room = try Room(wanted: 1_000, allowed: 256)
        #expect(room.remotes == 192)
        #expect(
            room.sentence == "At most 192 remotes at once, since this process may open only 256 files (ulimit -n).")
    }

    @Test("one who asks for few gets these even where little is allowed")
    func few() throws {
        #expect(try Room(wanted: 2, allowed: 66).remotes == 2)
    }

    @Test("too few for anything are told, with what to do", arguments: [12, 64, 79])
    func tooFew(allowed: Int) {
        #expect(
            throws: Failure(
                .unavailable,
                "This process may open only \(allowed) files at once, too few to serve remotes. Allow more: ulimit -n 1024"
            )
        ) { try Room(wanted: 64, allowed: allowed) }
    }
}
