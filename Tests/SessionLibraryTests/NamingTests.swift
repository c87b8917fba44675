import Playback
import Testing

@testable import SessionLibrary

@Suite("What films and tracks may be called") struct NamingTests {
    @Test(
        "a name shows at least one character",
        arguments: ["", "  ", "\n\t", "\u{200B}\u{200D}", "\u{2003} \u{200F}", "\u{1B}\u{7}"])
    func blank(text: String) {
        #expect(Naming.title(text) == nil)
        #expect(Naming.label(text) == nil)
    }

    @Test(
        "one that does is kept, with the joiners and marks that its script needs", arguments: ["می‌خواهم", "‏שלום", "👩‍👧"])
    func shown(text: String) {
        #expect(Naming.title(text) == text)
    }

    @Test("labels that stand twice are told apart, upper and lower case alike")
    func distinct() {
        #expect(Naming.distinct(["A", "B"]) == ["A", "B"])
        #expect(Naming.distinct(["A", "a", "B", "A"]) == ["A", "a (2)", "B", "A (3)"])
        #expect(Naming.distinct(["A", "A (2)", "A"]) == ["A", "A (2)", "A (3)"])
    }

    @Test("files of one name played where they lie have labels of their own, also when they are played again")
    func inPlace() throws {
        let library = try TemporaryLibrary().open()
        for _ in 1...2 {
            let session = try library.openInPlace(
                title: nil, tracks: [(nil, "/en/film.m4a"), (nil, "/de/film.m4a")], subtitlePath: "/film.srt",
                cueDigest: "d")
            #expect(session.tracks.map(\.label) == ["film", "film (2)"])
        }
    }
}
