import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Anchor book") struct AnchorBookTests {
    private typealias Verdict = AnchorBook.Verdict

    /// A clock that shows host second s at our second s.
    private var clock: ClockOffset {
        var clock = ClockOffset()
        clock.pong(sent: at(0) + -0.000_5, serverDate: date(0), received: at(0) + -0.000_5)
        return clock
    }

    private func position(_ book: AnchorBook, _ seconds: Double) -> Double? {
        book.anchor.map { ($0.position(at: at(seconds), clock: clock) * 100).rounded() / 100 }
    }

    // MARK: Position

    struct Case: Sendable {
        var time: Double
        var playing: Bool
        var duration: Double
        var now: Double
        var shown: Double
    }

    @Test(
        "moves with the host's clock while playing, within the film",
        arguments: [
            Case(time: 10, playing: true, duration: 120, now: 5, shown: 15),
            Case(time: 10, playing: false, duration: 120, now: 5, shown: 10),
            Case(time: 118, playing: true, duration: 120, now: 5, shown: 120),
            Case(time: 1, playing: true, duration: 120, now: -5, shown: 1),
            Case(time: 118, playing: true, duration: 0, now: 5, shown: 123),
            Case(time: 1, playing: true, duration: 0, now: -5, shown: 1),
            Case(time: 500, playing: false, duration: 120, now: 0, shown: 120),
            Case(time: -3, playing: false, duration: 120, now: 0, shown: 0),
        ])
    func interpolates(_ test: Case) {
        var book = AnchorBook()
        book.take(metadata(time: test.time, playing: test.playing, duration: test.duration))
        #expect(position(book, test.now) == test.shown)
    }

    @Test("stands while the host's sound stands, and goes on with it")
    func stalled() {
        var book = AnchorBook()
        book.take(metadata(time: 10, playing: true))
        var stalled = snapshot(time: 11, playing: true, dated: 1)
        stalled.isStalled = true
        book.take(stalled)
        #expect(position(book, 5) == 11)
        #expect(book.metadata?.isStalled == true && book.isPlaying)
        book.take(snapshot(time: 11, playing: true, dated: 6))
        #expect(position(book, 8) == 13)
    }

    @Test("without a clock the position stands still") func noClock() {
        var book = AnchorBook()
        book.take(metadata(time: 10, playing: true))
        #expect(book.anchor?.position(at: at(50), clock: ClockOffset()) == 10)
    }

    @Test("nothing known, nothing shown") func empty() {
        let book = AnchorBook()
        #expect(book.anchor == nil && !book.hasSession && !book.isPlaying && book.activeTrackID == nil)
    }

    // MARK: Every message in every state

    enum State: CaseIterable { case empty, metadataOnly, snapshotOnly, snapshotNewer, metadataNewer, tie, stale }
    enum Message: CaseIterable {
        case metadataNewer, metadataOlder, metadataSame, metadataOtherSession, metadataOtherRevision
        case snapshotNewer, snapshotOlder, snapshotSame, snapshotOtherSession, snapshotLowerRevision
        case snapshotHigherRevision, sessionEnded
    }

    /// Held dates: metadata 10 and snapshot 10, the "newer" one 15; messages: newer 20, older 5, same 10.
    private func book(_ state: State) -> AnchorBook {
        var book = AnchorBook()
        if state != .empty, state != .snapshotOnly {
            book.take(metadata(revision: 2, time: 1, dated: state == .metadataNewer ? 15 : 10))
        }
        if state != .empty, state != .metadataOnly {
            book.take(snapshot(revision: 2, time: 2, dated: state == .snapshotNewer ? 15 : 10))
        }
        if state == .stale { book.connectionRenewed() }
        return book
    }

    /// The shown position afterwards: 1 held metadata, 2 held snapshot, 3 new message, nil nothing.
    static let grid: [(State, [Message: Double?])] = [
        (
            .empty,
            [
                .metadataNewer: 3, .metadataOlder: 3, .metadataSame: 3, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 3, .snapshotSame: 3,
                .snapshotOtherSession: 3, .snapshotLowerRevision: 3, .snapshotHigherRevision: 3, .sessionEnded: nil,
            ]
        ),
        (
            .metadataOnly,
            [
                .metadataNewer: 3, .metadataOlder: 1, .metadataSame: 3, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 1, .snapshotSame: 3,
                .snapshotOtherSession: 1, .snapshotLowerRevision: 1, .snapshotHigherRevision: 1, .sessionEnded: nil,
            ]
        ),
        (
            .snapshotOnly,
            [
                .metadataNewer: 3, .metadataOlder: 2, .metadataSame: 2, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 2, .snapshotSame: 3,
                .snapshotOtherSession: 3, .snapshotLowerRevision: 3, .snapshotHigherRevision: 3, .sessionEnded: nil,
            ]
        ),
        (
            .snapshotNewer,
            [
                .metadataNewer: 3, .metadataOlder: 2, .metadataSame: 2, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 2, .snapshotSame: 2,
                .snapshotOtherSession: 2, .snapshotLowerRevision: 2, .snapshotHigherRevision: 2, .sessionEnded: nil,
            ]
        ),
        (
            .metadataNewer,
            [
                .metadataNewer: 3, .metadataOlder: 1, .metadataSame: 1, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 1, .snapshotSame: 1,
                .snapshotOtherSession: 1, .snapshotLowerRevision: 1, .snapshotHigherRevision: 1, .sessionEnded: nil,
            ]
        ),
        (
            .tie,
            [
                .metadataNewer: 3, .metadataOlder: 2, .metadataSame: 2, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 2, .snapshotSame: 3,
                .snapshotOtherSession: 2, .snapshotLowerRevision: 2, .snapshotHigherRevision: 2, .sessionEnded: nil,
            ]
        ),
        (
            .stale,
            [
                .metadataNewer: 3, .metadataOlder: 3, .metadataSame: 3, .metadataOtherSession: 3,
                .metadataOtherRevision: 3, .snapshotNewer: 3, .snapshotOlder: 3, .snapshotSame: 3,
                .snapshotOtherSession: 2, .snapshotLowerRevision: 2, .snapshotHigherRevision: 2, .sessionEnded: nil,
            ]
        ),
    ]

    @Test("newest date wins in every state", arguments: State.allCases, Message.allCases)
    func grid(state: State, message: Message) throws {
        var book = book(state)
        switch message {
        case .metadataNewer: book.take(metadata(revision: 2, time: 3, dated: 20))
        case .metadataOlder: book.take(metadata(revision: 2, time: 3, dated: 5))
        case .metadataSame: book.take(metadata(revision: 2, time: 3, dated: 10))
        case .metadataOtherSession: book.take(metadata(otherFilm, revision: 2, time: 3, dated: 5))
        case .metadataOtherRevision: book.take(metadata(revision: 3, time: 3, dated: 5))
        case .snapshotNewer: book.take(snapshot(revision: 2, time: 3, dated: 20))
        case .snapshotOlder: book.take(snapshot(revision: 2, time: 3, dated: 5))
        case .snapshotSame: book.take(snapshot(revision: 2, time: 3, dated: 10))
        case .snapshotOtherSession: book.take(snapshot(otherFilm, revision: 2, time: 3, dated: 20))
        case .snapshotLowerRevision: book.take(snapshot(revision: 1, time: 3, dated: 20))
        case .snapshotHigherRevision: book.take(snapshot(revision: 3, time: 3, dated: 20))
        case .sessionEnded: book.sessionEnded()
        }
        let expected = try #require(Self.grid.first { $0.0 == state }?.1[message])
        #expect(book.anchor?.currentTime == expected)
        if let metadata = book.metadata { #expect(metadata.currentTime == expected, "metadata follows the anchor") }
    }

    // MARK: Fields

    @Test("an accepted snapshot updates play state, time and track; title and tracks stay") func fields() {
        var book = AnchorBook()
        book.take(metadata(time: 1, playing: false, dated: 0, title: "Title", track: "a"))
        #expect(book.take(snapshot(time: 7, playing: true, dated: 1, track: "b", volume: 0.3)) == .accepted)
        #expect(book.isPlaying && book.metadata?.isPlaying == true)
        #expect(book.activeTrackID == "b")
        #expect(book.metadata?.title == "Title" && book.metadata?.tracks.count == 2)
        #expect(book.volume == 0.3)
        book.take(snapshot(time: 8, playing: true, dated: 2))
        #expect(book.activeTrackID == "b", "a snapshot without a track keeps the old one")
    }

    @Test("a snapshot behind the metadata is kept for its volume, and moves nothing") func behind() {
        var book = AnchorBook()
        book.take(metadata(time: 1, playing: true, dated: 10, track: "a"))
        #expect(book.take(snapshot(time: 9, playing: false, dated: 5, track: "b", volume: 0.4)) == .keptBehind)
        #expect(book.isPlaying && book.activeTrackID == "a" && book.metadata?.currentTime == 1)
        #expect(book.volume == 0.4)
    }

    @Test("metadata that comes late brings its title, not its old position") func lateMetadata() {
        var book = AnchorBook()
        book.take(metadata(time: 1, dated: 0, title: "Old", track: "a"))
        book.take(snapshot(time: 50, playing: true, dated: 5, track: "b"))
        #expect(book.take(metadata(time: 2, playing: false, dated: 3, title: "New", track: "a")) == .keptBehind)
        #expect(book.metadata?.title == "New")
        #expect(book.anchor?.currentTime == 50 && book.isPlaying && book.activeTrackID == "b")
    }

    @Test("duration of a switched track comes with its snapshot") func shorterTrack() {
        var book = AnchorBook()
        book.take(metadata(time: 100, duration: 120))
        book.take(snapshot(time: 90, dated: 1, duration: 90))
        #expect(book.anchor?.duration == 90)
        #expect(position(book, 60) == 90)
    }

    @Test("after a track change the old position is not shown for a moment") func oldTrackPosition() {
        var book = AnchorBook()
        book.take(metadata(time: 500, playing: true, dated: 10, duration: 900))
        book.take(metadata(otherFilm, time: 0, dated: 11, duration: 100))
        #expect(book.take(snapshot(time: 501, playing: true, dated: 12, duration: 900)) == .dropped)
        #expect(position(book, 20) == 0)
    }

    @Test("a stale push after a seek moves nothing back") func stalePush() {
        var book = AnchorBook()
        book.take(metadata(time: 10, playing: true, dated: 0))
        book.take(snapshot(time: 62, playing: true, dated: 5))
        #expect(book.take(snapshot(time: 14, playing: true, dated: 4)) == .dropped)
        #expect(position(book, 5) == 62)
    }

    @Test("positions past 35:47 do not wrap") func longFilm() {
        var book = AnchorBook()
        book.take(metadata(time: 9_000, playing: true, duration: 20_000))
        #expect(position(book, 3_000) == 12_000)
    }
}
