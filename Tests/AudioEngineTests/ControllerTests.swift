import LinuxSystem
import Playback
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AudioEngine

/// A controller between a fake device and a fake decoder.
final class Bench {
    let loop = SoundLoop()
    let device = FakeDevice()
    let decoding = FakeDecoding(ends: [20 * 48_000, 12 * 48_000])
    let log = EventLog()
    let controller: SoundController

    init(position: Double = 3, usualStart: Double = 0.1) {
        let tracks = [("a", 20.0), ("b", 12.0)].map {
            SoundController.Track(id: $0, duration: Format.frames(seconds: $1))
        }
        controller = SoundController(
            tracks: tracks, active: 0, position: Format.frames(seconds: position), device: device, decoding: decoding,
            loop: loop, usualStart: usualStart, emit: { [log] in log.note($0) })
    }

    func ask(_ request: EngineRequest) {
        controller.handle(.request(request))
    }

    func decode() {
        for report in decoding.work() { controller.handle(.decoding(report)) }
    }

    /// Lets everything happen that is under way, and some sound be heard.
    func settle() {
        for _ in 0..<6 {
            decode()
            if case .absent(nil) = controller.phase { device.appear() }
            device.advance(960)
            if device.isStopping { device.answerStop() }
        }
    }

    var position: Double {
        Format.seconds(frames: controller.resting)
    }
}

/// A state of the engine, and how to get there from a fresh one.
enum Situation: CaseIterable {
    case connecting, lost, stopped, running, timeUnknown, stopping, halting, seeking, switching, seekingPaused, atEnd

    func arrange(_ bench: Bench) {
        if self == .connecting { return }
        bench.settle()
        if self == .stopped { return }
        if self == .lost { return bench.device.lose() }
        if self == .seekingPaused { return bench.ask(.locate(epoch: 1, position: 6, playing: false)) }
        bench.device.knowsTime = self != .timeUnknown
        bench.ask(.play(epoch: 1))
        if self == .timeUnknown { return }
        if self == .atEnd {
            bench.ask(.locate(epoch: 2, position: 19.99, playing: true))
            bench.settle()
            return
        }
        bench.settle()
        switch self {
        case .stopping: bench.ask(.pause(epoch: 1))
        case .halting:
            bench.ask(.pause(epoch: 1))
            bench.device.advance(960)
        case .seeking: bench.ask(.locate(epoch: 2, position: 6, playing: true))
        case .switching: bench.ask(.switchTrack(epoch: 2, trackID: "b"))
        default: break
        }
    }

    /// Whether it sounds on by itself.
    var plays: Bool { [.running, .timeUnknown, .seeking, .switching].contains(self) }
}

@Suite("The controller, every request in every state")
struct ControllerTests {
    private func bench(_ situation: Situation) -> (Bench, mark: Int) {
        let bench = Bench()
        situation.arrange(bench)
        bench.device.knowsTime = true
        return (bench, bench.log.count)
    }

    private func isRunning(_ bench: Bench) -> Bool {
        if case .running = bench.controller.phase { true } else { false }
    }

    /// What is heard right now, as the film's second and the track's name.
    private func heard(_ bench: Bench) -> (second: Double, trackID: String)? {
        guard let content = bench.device.content[Int64(bench.device.audible)], content.track > 0 else { return nil }
        return (Double(content.film) - 1, content.track > 1.5 ? "b" : "a")
    }

    @Test("play sounds from where it stands, unless the device is lost", arguments: Situation.allCases)
    func play(in situation: Situation) {
        let (bench, mark) = bench(situation)
        bench.ask(.play(epoch: 9))
        bench.settle()
        let events = bench.log.all.dropFirst(mark)
        if situation == .lost {
            #expect(!isRunning(bench))
            #expect(events.contains(.outputLost(epoch: 9, position: 3, reason: "unplugged")))
            return
        }
        if situation == .atEnd {
            #expect(events.contains(.ended(epoch: 9)))
            return
        }
        #expect(isRunning(bench))
        #expect(bench.log.anchor(after: mark, epoch: 9, within: 0) != nil)
        #expect(heard(bench) != nil)
    }

    @Test("pause is answered once, and nothing sounds then", arguments: Situation.allCases)
    func pause(in situation: Situation) throws {
        let (bench, mark) = bench(situation)
        bench.ask(.pause(epoch: 9))
        bench.settle()
        let answers = bench.log.all.dropFirst(mark).compactMap { event -> Double? in
            if case .paused(9, let position) = event { position } else { nil }
        }
        #expect(answers.count == 1)
        #expect(!isRunning(bench) && !bench.device.isRunning)
        // What was reported is where it goes on.
        #expect(abs(try #require(answers.first) - bench.position) < 0.000_03)
    }

    @Test("a seek lands on its target, playing or not as it says", arguments: Situation.allCases, [true, false])
    func locate(in situation: Situation, playing: Bool) throws {
        let (bench, mark) = bench(situation)
        bench.ask(.locate(epoch: 9, position: 11, playing: playing))
        bench.settle()
        let sounds = playing && situation != .lost
        #expect(isRunning(bench) == sounds)
        let anchor = try #require(bench.log.anchor(after: mark, epoch: 9, isRunning: sounds, within: 0))
        #expect(abs(anchor.position - 11) < 0.03)
        if sounds {
            let sound = try #require(heard(bench))
            #expect(abs(sound.second - bench.position) < 0.001)
            #expect(sound.trackID == (situation == .switching ? "b" : "a"))
        } else {
            #expect(bench.position == 11)
        }
    }

    @Test("of several seeks only the last is heard", arguments: Situation.allCases)
    func seekStorm(in situation: Situation) throws {
        let (bench, mark) = bench(situation)
        for epoch in 9..<30 { bench.ask(.locate(epoch: epoch, position: Double(epoch) / 3, playing: true)) }
        bench.settle()
        #expect(bench.log.anchor(after: mark, epoch: 28, within: 0) == nil)
        if situation == .lost { return }
        #expect(abs(try #require(bench.log.anchor(after: mark, epoch: 29, within: 0)).position - 29.0 / 3) < 0.03)
    }

    @Test("a switch keeps position and play state", arguments: Situation.allCases)
    func switchTrack(in situation: Situation) throws {
        let (bench, mark) = bench(situation)
        let before = (position: bench.position, audible: bench.device.audible)
        bench.ask(.switchTrack(epoch: 9, trackID: "b"))
        bench.settle()
        let told = bench.log.all.dropFirst(mark).filter { $0 == .switched(epoch: 9, trackID: "b", duration: 12) }
        #expect(told.count == 1)
        #expect(isRunning(bench) == situation.plays)
        if [.running, .switching].contains(situation) {
            let passed = (bench.device.audible - before.audible) / 48_000
            let sound = try #require(heard(bench))
            #expect(sound.trackID == "b")
            #expect(abs(sound.second - before.position - passed) < 0.001)
        } else if [.stopped, .lost, .connecting].contains(situation) {
            #expect(bench.position == before.position)
        } else if situation == .atEnd {
            #expect(bench.position == 12)
        } else if [.seeking, .seekingPaused].contains(situation) {
            #expect(bench.position >= 6 && bench.position < 6.2)
        }
    }

    @Test("an unknown track changes nothing", arguments: Situation.allCases)
    func unknownTrack(in situation: Situation) {
        let (bench, mark) = bench(situation)
        bench.ask(.switchTrack(epoch: 9, trackID: "z"))
        bench.settle()
        #expect(
            bench.log.all.dropFirst(mark).contains(
                .switchFailed(epoch: 9, trackID: "z", reason: "there is no such track")))
        #expect(isRunning(bench) == situation.plays)
    }

    @Test("a track that fails to be switched to leaves the old one as it was", arguments: Situation.allCases)
    func failedSwitch(in situation: Situation) throws {
        let (bench, mark) = bench(situation)
        bench.ask(.switchTrack(epoch: 9, trackID: "b"))
        let feed = try #require(bench.decoding.urgent)
        bench.controller.handle(.decoding(.failed(feed, reason: "damaged")))
        bench.settle()
        #expect(
            bench.log.all.dropFirst(mark).contains(.switchFailed(epoch: 9, trackID: "b", reason: "damaged")))
        #expect(isRunning(bench) == situation.plays)
        if situation.plays { #expect(try #require(heard(bench)).trackID == "a") }
        if [.seeking, .seekingPaused].contains(situation) { #expect(bench.position >= 6 && bench.position < 6.2) }
        if [.lost, .atEnd].contains(situation) { return }
        bench.ask(.play(epoch: 10))
        bench.settle()
        #expect(try #require(heard(bench)).trackID == "a")
    }

    /// Commands that come quicker than a fade, which the attack on the whole program found.
    @Test(
        "a seek, or a switch and a seek, with a pause and a play at once: what sounds in the end is told so",
        arguments: [Situation.running, .timeUnknown], [false, true])
    func quickCommands(in situation: Situation, switches: Bool) throws {
        let (bench, mark) = bench(situation)
        if switches { bench.ask(.switchTrack(epoch: 9, trackID: "b")) }
        bench.ask(.locate(epoch: 10, position: 6, playing: true))
        bench.ask(.pause(epoch: 10))
        bench.ask(.play(epoch: 11))
        bench.settle()
        let events = bench.log.all.dropFirst(mark)
        let told = events.compactMap { event -> (Epoch, Double)? in
            if case .anchor(let epoch, let position, _, true) = event { (epoch, position) } else { nil }
        }
        let (epoch, position) = try #require(told.last)
        #expect(epoch == 11)
        #expect(position >= 6 && position < 6.5)
        let sound = try #require(heard(bench))
        #expect(sound.second >= 6 && sound.second < 6.5)
        #expect(sound.trackID == (switches ? "b" : "a"))
        let isAnswered = events.contains { if case .switched(9, "b", _) = $0 { true } else { false } }
        #expect(isAnswered == switches)
    }

    /// A sink that slept: play, pause and a tapped line came before it began, and the tapped line was told as undone.
    @Test(
        "a device that is slow to begin: a seek meanwhile is told at its target, and kept when the device goes",
        arguments: [false, true], [false, true])
    func seekBeforeTheBeginning(pauses: Bool, goes: Bool) throws {
        let bench = Bench(usualStart: 0)
        bench.settle()
        bench.device.knowsTime = false
        bench.ask(.play(epoch: 1))
        #expect(standing(bench, after: 0).last?.position == 3)
        let mark = bench.log.count
        if pauses { bench.ask(.pause(epoch: 1)) }
        bench.ask(.locate(epoch: 2, position: 11, playing: !pauses))
        for _ in 0..<2 {
            bench.controller.deviceTimed()
            bench.decode()
        }
        let told = standing(bench, after: mark).filter { $0.epoch == 2 }
        #expect(!told.isEmpty && told.allSatisfy { $0.position == 11 })
        if goes {
            bench.device.lose()
            bench.decode()
            let lost = bench.log.first(after: mark) { event in
                if case .outputLost(_, let position, _) = event { position } else { nil }
            }
            #expect(lost == 11)
            #expect(bench.position == 11)
        } else {
            bench.device.knowsTime = true
            bench.settle()
            #expect(isRunning(bench) == !pauses)
            #expect(bench.position >= 11 && bench.position < 11.5)
        }
    }

    private func standing(_ bench: Bench, after mark: Int) -> [(epoch: Epoch, position: Double)] {
        bench.log.all.dropFirst(mark).compactMap { event in
            if case .anchor(let epoch, let position, _, false) = event { (epoch, position) } else { nil }
        }
    }

    @Test("the device goes away: what sounded is told as lost, at its position", arguments: Situation.allCases)
    func deviceLost(in situation: Situation) {
        let (bench, mark) = bench(situation)
        bench.device.lose()
        bench.settle()
        let told = bench.log.all.dropFirst(mark).contains { event in
            if case .outputLost = event { true } else { false }
        }
        #expect(told == situation.plays)
        #expect(!isRunning(bench))
        bench.device.appear()
        if told {
            // Asked before the loss was known; the laptop's loudspeakers must not sound.
            bench.ask(.play(epoch: 9))
            bench.ask(.pause(epoch: 8))
            bench.ask(.locate(epoch: 10, position: 2, playing: true))
            bench.settle()
            #expect(!isRunning(bench))
            bench.ask(.pause(epoch: 11))
            bench.settle()
            #expect(!isRunning(bench))
        }
        bench.ask(.play(epoch: 12))
        bench.settle()
        #expect(isRunning(bench) == (situation != .atEnd))
    }

    @Test(
        "the device must move: what sounds goes on at its position on the other one, what stands stays",
        arguments: Situation.allCases)
    func deviceMustMove(in situation: Situation) {
        let (bench, mark) = bench(situation)
        bench.controller.deviceMustMove()
        bench.settle()
        if bench.device.isRunning, !isRunning(bench) { Issue.record("the device runs without sound") }
        // The output opens another stream in the place of the one that has stopped.
        if case .stopped = bench.controller.phase { bench.controller.deviceReopens() }
        bench.device.appear()
        bench.settle()
        #expect(isRunning(bench) == situation.plays)
        let told = bench.log.all.dropFirst(mark)
        #expect(!told.contains { if case .outputLost = $0 { true } else { false } })
        guard situation.plays else { return }
        let aim = situation == .seeking ? 6.0 : 3.0
        #expect(bench.position >= aim && bench.position < aim + 0.5)
        #expect(heard(bench)?.trackID == (situation == .switching ? "b" : "a"))
    }

    @Test("a volume goes to the device, whatever the state", arguments: Situation.allCases)
    func volume(in situation: Situation) {
        let (bench, _) = bench(situation)
        bench.ask(.setVolume(0.3))
        #expect(bench.device.volume == 0.3)
    }

    @Test(
        "what is to sound is written before anything is told or asked of another thread",
        arguments: ["switch", "seek", "underrun"])
    func soundFirst(when what: String) {
        let bench = Bench()
        bench.settle()
        bench.ask(.play(epoch: 1))
        bench.settle()
        switch what {
        case "switch": bench.ask(.switchTrack(epoch: 2, trackID: "b"))
        case "seek": bench.ask(.locate(epoch: 2, position: 6, playing: true))
        default:
            bench.decoding.isStuck = true
            bench.device.advance(96_000)
            bench.decoding.isStuck = false
        }
        let said = { [log = bench.log, decoding = bench.decoding] in log.count + decoding.requests }
        let before = said()
        var first: Int?
        bench.device.onWrite = { first = first ?? said() }
        bench.decode()
        #expect(first == before)
        #expect(said() > before)
    }

    @Test("a device that ran dry goes on with the sample after the last it had, and the underrun is counted")
    func underrun() throws {
        let bench = Bench()
        bench.settle()
        bench.ask(.play(epoch: 1))
        bench.settle()
        bench.decoding.isStuck = true
        bench.device.advance(96_000)
        let mark = bench.log.count
        let stalled = bench.position
        #expect(!bench.log.all.contains(.underrun(count: 1)))
        #expect(bench.log.all.contains { if case .anchor(1, stalled, _, false) = $0 { true } else { false } })
        bench.decoding.isStuck = false
        bench.decode()
        bench.device.advance(480)
        #expect(bench.log.all.dropFirst(mark).contains(.underrun(count: 1)))
        bench.device.advance(960)
        let sound = try #require(heard(bench))
        #expect(sound.second - stalled > 0 && sound.second - stalled < 0.05)
        #expect(bench.log.anchor(after: mark, epoch: 1, within: 0) != nil)
    }

    @Test("the end is told once, when the last sample was heard")
    func ending() {
        let bench = Bench(position: 19.9)
        bench.settle()
        bench.ask(.play(epoch: 1))
        bench.decode()
        bench.device.advance(4_799)
        #expect(!bench.log.all.contains(.ended(epoch: 1)))
        bench.device.advance(1)
        bench.settle()
        #expect(bench.log.all.filter { $0 == .ended(epoch: 1) }.count == 1)
        #expect(bench.position == 20)
        #expect(!isRunning(bench))
    }

    @Test("seeks that come faster than they can be faded to do not queue up")
    func fastStorm() throws {
        let bench = Bench()
        bench.settle()
        bench.ask(.play(epoch: 1))
        bench.settle()
        for epoch in 2...200 {
            bench.ask(.locate(epoch: epoch, position: Double(epoch % 17), playing: true))
            bench.decode()
            bench.device.advance(100)
        }
        bench.device.advance(1_440)
        #expect(bench.log.anchor(epoch: 200, within: 0) != nil)
        #expect(abs(try #require(heard(bench)).second - Double(200 % 17)) < 0.03)
    }

    @Test("a slow decoder is waited for: the old sound goes on, the new one begins at the film's moment")
    func slowSwitch() throws {
        let bench = Bench()
        bench.settle()
        bench.ask(.play(epoch: 1))
        bench.settle()
        bench.decoding.isStuck = true
        bench.ask(.switchTrack(epoch: 2, trackID: "b"))
        bench.device.advance(24_000)
        #expect(try #require(heard(bench)).trackID == "a")
        bench.decoding.isStuck = false
        bench.settle()
        let sound = try #require(heard(bench))
        #expect(sound.trackID == "b")
        #expect(abs(sound.second - bench.position) < 0.001)
    }
}
