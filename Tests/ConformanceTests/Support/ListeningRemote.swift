import RemoteCore
import WireProtocol

/// A remote's machine in virtual time, connected as far as a test wants it.
struct ListeningRemote {
    enum Stage: CaseIterable {
        /// The host has said nothing yet.
        case greeted
        /// It has said hello.
        case connected
        /// It plays a film, of session `S`, as in the vectors.
        case film
    }

    private static let date = WireDate(milliseconds: 1_772_396_105_030)
    private var machine = RemoteMachine(.init(remoteID: "r", remoteName: "R", seed: 1))
    private var now = SteadyTime(nanoseconds: 1_000_000_000_000)
    private let attempt = 1

    init(_ stage: Stage) {
        _ = machine.start(now: now)
        _ = machine.connectSucceeded(attempt: attempt, now: now)
        if stage == .greeted { return }
        _ = take(
            HostMessage.hello(
                HostHello(hostID: "h", hostName: "H", software: "s", serverDate: Self.date, features: [])
            ).line())
        if stage == .connected { return }
        _ = take(
            HostMessage.metadata(
                SessionMetadata(
                    sessionID: "S", revision: 3, title: "Film", duration: 100, cueCount: 9, cueDigest: "d",
                    isPlaying: true, currentTime: 10, serverDate: Self.date, tracks: [.init(id: "a", label: "A")])
            ).line())
        _ = take(
            HostMessage.snapshot(
                Snapshot(
                    sessionID: "S", revision: 3, currentTime: 10, duration: 100, currentIndex: 2, isPlaying: true,
                    serverDate: Self.date, volume: 0.5)
            ).line())
    }

    mutating func take(_ bytes: [UInt8]) -> [RemoteAction] {
        machine.received(bytes, attempt: attempt, now: now)
    }

    /// Does what is due within those seconds.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while let deadline = machine.nextDeadline, deadline <= end {
            now = max(now, deadline)
            _ = machine.tick(now: now)
        }
        now = end
    }

    var undecodableLines: Int { machine.view.undecodableLines }

    /// Seconds of film, 0 where there is none.
    var shown: Double { machine.view.position(at: now) ?? 0 }

    /// Everything the machine holds, but its count of lines that could not be read.
    var facts: String {
        String(describing: machine).replacing(/undecodableLines: \d+/, with: "")
    }
}
