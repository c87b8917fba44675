internal import Playback
internal import WireProtocol

/// A virtual host and what happens around it: sessions, device, restarts.
struct VirtualStage: Sendable {
    var host: VirtualHost
    private var film = VirtualStage.film()
    private var parting: [VirtualHost.Event] = []

    /// 2026-03-01T20:15:00Z.
    private static let date = WireDate(milliseconds: 1_772_396_100_000)
    private let beganAt: SteadyTime

    init(now: SteadyTime) {
        beganAt = now
        host = VirtualHost(date: Self.date, now: now)
        host.open(film)
    }

    /// What remotes have been sent since the last call.
    mutating func takeEvents() -> [VirtualHost.Event] {
        defer { parting = [] }
        return parting + host.takeEvents()
    }

    /// Carries out a stage event.
    mutating func perform(_ words: [String]) -> StageOutcome {
        switch words.first {
        case "start-session": host.open(film)
        case "end-session": host.closeSession()
        case "replace-cues":
            film.revision += 1
            film.cues[0].text = "Line 1, revision \(film.revision)"
            if let position = host.saved?.position { film.position = position }
            host.open(film)
        case "set-volume":
            guard words.count == 2, let volume = Double(words[1]) else { return .failed(reason: "set-volume VALUE") }
            host.changeVolume(to: volume)
        case "lose-output": host.loseDevice()
        case "find-output": host.findDevice()
        case "restart-host": restart(saysGoodbye: true)
        case "kill-host": restart(saysGoodbye: false)
        default: return .unable(reason: "a stage that can \(words.joined(separator: " "))")
        }
        return .done
    }

    private mutating func restart(saysGoodbye: Bool) {
        if saysGoodbye { host.stop() } else { host.breakOff() }
        parting = host.takeEvents()
        if let saved = host.saved { film.position = saved.position }
        let elapsed = host.now - beganAt
        let date = WireDate(milliseconds: Self.date.milliseconds + Int64((elapsed * 1e3).rounded()))
        host = VirtualHost(date: date, now: host.now, firstConnection: host.lastConnection + 1)
        host.open(film)
    }

    /// Half a minute with what every recording needs: two tracks, a short one, a broken one, and cues for several chunks.
    private static func film() -> VirtualHost.Film {
        let tracks: [VirtualHost.Film.Track] = [
            .init(id: "T-original", label: "Original", duration: 30), .init(id: "T-dub", label: "Dub", duration: 30),
            .init(id: "T-short", label: "Short", duration: 10),
            .init(id: "T-broken", label: "Broken", duration: 30, isBroken: true),
        ]
        var cues = (0..<12).map { place in
            let start = Double(1_000 + 2_500 * place) / 1_000
            return Cue(index: place + 1, start: start, end: start + 2, text: "Line \(place + 1)")
        }
        // Past the end of the film, and hard to compress: they fill chunks.
        var seed: UInt64 = 1
        for place in 0..<240 {
            let start = Double(100 + place)
            let text = (0..<32).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return String(seed, radix: 36)
            }.joined(separator: " ")
            cues.append(Cue(index: place + 13, start: start, end: start + 0.5, text: text))
        }
        return VirtualHost.Film(sessionID: "S-night-train", title: "Night Train", tracks: tracks, cues: cues)
    }
}
