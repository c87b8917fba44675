import CueSearch
import RemoteCore
import Testing
import WireProtocol

@Suite("Finding lines on a remote") struct CueFinderTests {
    private func timeline(_ texts: [String]) -> RemoteView.Cues {
        .ready(CueTimeline(texts.enumerated().map { Cue(index: $0 + 1, start: Double($0), end: 9, text: $1) }))
    }

    @Test("places are those of the view's timeline") func places() {
        var finder = CueFinder()
        #expect(finder.find("two", in: timeline(["One", "Two", "Two more"])).map(\.place) == [1, 2])
    }

    @Test("new cues are looked through from then on") func newCues() {
        var finder = CueFinder()
        _ = finder.find("two", in: timeline(["One", "Two"]))
        #expect(finder.find("two", in: timeline(["Two", "One"])).map(\.place) == [0])
        #expect(finder.find("dos", in: timeline(["Uno", "Dos"])).map(\.place) == [1])
    }

    @Test("without cues nothing is found") func noCues() {
        var finder = CueFinder()
        #expect(finder.find("two", in: .none).isEmpty)
        #expect(finder.find("two", in: .loading(received: 1, total: 3)).isEmpty)
    }
}
