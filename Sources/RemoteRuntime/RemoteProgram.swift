internal import CueSearch
internal import Discovery
internal import LinuxSystem
internal import RemoteCore
internal import Terminal
internal import TerminalUI
internal import TextScreen
internal import Transport
internal import WireProtocol

/// `allspeak-remote`: reads the command line and runs one command.
package enum RemoteProgram {
    /// Never returns: ends the process with the command's exit code.
    package static func run() -> Never {
        Program.run("allspeak-remote") { () throws(Failure) in
            let invocation = try RemoteSyntax.program.parse(Program.arguments)
            if invocation.wantsVersion {
                Console.standard.say("allspeak-remote \(ProgramSyntax.version)")
                return .success
            }
            if invocation.wantsHelp {
                Console.standard.say(RemoteSyntax.program.help(for: invocation))
                return .success
            }
            return try run(invocation)
        }
    }

    private static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        switch invocation.command {
        case nil:
            try takeNoOperands(invocation)
            let isForPrograms = invocation.switches.contains("--json") || !Terminal.isThere
            return isForPrograms ? try WatchCommand.run(invocation) : try ScreenCommand.run(invocation)
        case "watch":
            try takeNoOperands(invocation)
            return try WatchCommand.run(invocation)
        case "discover":
            try takeNoOperands(invocation)
            return try discover(invocation)
        case "play": return try send(.play, invocation)
        case "pause": return try send(.pause, invocation)
        case "toggle": return try send(.togglePlayPause, invocation)
        case "skip": return try skip(invocation)
        case "seek": return try seek(invocation)
        case "track": return try track(invocation)
        case "volume": return try volume(invocation)
        case "status": return try status(invocation)
        case "cues": return try cues(invocation)
        case .some(let name): throw usage("There is no command \(name)", invocation)
        }
    }

    private static func usage(_ problem: String, _ invocation: Invocation) -> Failure {
        let syntax = RemoteSyntax.program
        return syntax.usage(problem, of: syntax.commands.first { $0.name == invocation.command })
    }

    private static func takeNoOperands(_ invocation: Invocation) throws(Failure) {
        if let extra = invocation.operands.first {
            throw usage("\(invocation.command ?? "this") takes nothing after it, but there is \(extra)", invocation)
        }
    }

    // MARK: Commands

    private static func discover(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
        let finder = try OneShot.finder(.any, loop)
        defer { finder.stop() }
        let hosts = try finder.all()
        let console = Console.standard
        if invocation.switches.contains("--json") {
            console.say(json: .array(hosts.map(json)))
            return hosts.isEmpty ? .unavailable : .success
        }
        guard !hosts.isEmpty else {
            throw Failure(.unavailable, "No host was found. Start one with: allspeak-host play …")
        }
        for host in hosts {
            let place = host.endpoints.first.map { Endpoint(address: $0.address, port: $0.port).text } ?? ""
            console.say("\(host.name)  \(place)  \(host.hostID ?? "")")
        }
        return .success
    }

    private static func json(_ host: DiscoveredHost) -> JSONValue {
        .object([
            .init("name", .string(host.name)), .init("id", host.hostID.map { .string($0) } ?? .null),
            .init("isOnThisMachine", .bool(host.isOnThisMachine)),
            .init("port", host.endpoints.first.map { .integer(Int($0.port)) } ?? .null),
            .init(
                "addresses",
                .array(host.endpoints.map { .string(Endpoint(address: $0.address, port: $0.port).text) })),
        ])
    }

    private static func send(_ command: Command, _ invocation: Invocation) throws(Failure) -> ExitCode {
        try takeNoOperands(invocation)
        return try perform(command, invocation)
    }

    private static func perform(_ command: Command, _ invocation: Invocation) throws(Failure) -> ExitCode {
        let shot = try OneShot(invocation)
        defer { shot.close() }
        _ = try shot.perform(command)
        show(shot, invocation)
        return .success
    }

    private static func show(_ shot: OneShot, _ invocation: Invocation) {
        let text = ViewText(view: shot.link.view, now: MonotonicClock.now())
        let console = Console.standard
        invocation.switches.contains("--json") ? console.say(json: text.json) : console.say(text.line)
    }

    private static func skip(_ invocation: Invocation) throws(Failure) -> ExitCode {
        var taps: [Double] = []
        for operand in invocation.operands {
            guard let seconds = Double(operand.withDecimalPoint), seconds.isFinite else {
                throw usage("skip takes seconds such as +1 or -3, not \(operand)", invocation)
            }
            taps.append(seconds)
        }
        guard !taps.isEmpty else { throw usage("skip needs seconds, such as +1 or -3", invocation) }
        let shot = try OneShot(invocation)
        defer { shot.close() }
        try shot.requireSession()
        _ = try shot.skip(taps)
        show(shot, invocation)
        return .success
    }

    private static func seek(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if let text = invocation.value("--cue") {
            if !invocation.operands.isEmpty { throw usage("seek takes a time or --cue, not both", invocation) }
            guard let number = Int(text) else { throw usage("--cue takes a line's number", invocation) }
            return try seek(toCue: number, invocation)
        }
        guard invocation.operands.count == 1, let time = TimeText.seconds(from: invocation.operands[0].withDecimalPoint)
        else {
            throw usage("seek takes one time such as 1:02:03.5, 62:03 or 90", invocation)
        }
        return try perform(.seek(time: time), invocation)
    }

    private static func seek(toCue number: Int, _ invocation: Invocation) throws(Failure) -> ExitCode {
        let shot = try OneShot(invocation)
        defer { shot.close() }
        try shot.requireSession()
        let cues = try shot.cues().cues
        guard let cue = cues.first(where: { $0.index == number }) else {
            let range = "\(cues.first?.index ?? 0) to \(cues.last?.index ?? 0)"
            throw usage("There is no line \(number); the lines go from \(range)", invocation)
        }
        _ = try shot.perform(.seek(time: cue.start))
        show(shot, invocation)
        return .success
    }

    private static func track(_ invocation: Invocation) throws(Failure) -> ExitCode {
        guard invocation.operands.count == 1 else {
            throw usage("track takes one number or label", invocation)
        }
        let shot = try OneShot(invocation)
        defer { shot.close() }
        try shot.requireSession()
        let tracks = shot.link.view.tracks
        guard let track = TrackChoice.track(invocation.operands[0], of: tracks) else {
            let list = tracks.enumerated().map { "\($0 + 1) \($1.label)" }.joined(separator: ", ")
            throw usage("No single track is meant by \(invocation.operands[0]); there are: \(list)", invocation)
        }
        _ = try shot.perform(.switchTrack(trackID: track.id))
        show(shot, invocation)
        return .success
    }

    private static func volume(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.operands.isEmpty {
            let shot = try OneShot(invocation)
            defer { shot.close() }
            try shot.requireSession()
            guard shot.link.view.volume(at: MonotonicClock.now()) != nil else {
                throw Failure(.unavailable, "The host plays on no system output, so there is no volume.")
            }
            show(shot, invocation)
            return .success
        }
        let text =
            invocation.operands[0].hasSuffix("%") ? String(invocation.operands[0].dropLast()) : invocation.operands[0]
        guard invocation.operands.count == 1, let percent = Double(text), (0...100).contains(percent) else {
            throw usage("volume takes one number from 0 to 100", invocation)
        }
        return try perform(.setVolume(percent / 100), invocation)
    }

    private static func status(_ invocation: Invocation) throws(Failure) -> ExitCode {
        try takeNoOperands(invocation)
        let shot = try OneShot(invocation)
        defer { shot.close() }
        let isJSON = invocation.switches.contains("--json")
        if !isJSON { try shot.requireSession() }
        if shot.link.view.metadata != nil { _ = try? shot.cues(within: 1) }
        let text = ViewText(view: shot.link.view, now: MonotonicClock.now())
        let console = Console.standard
        isJSON ? console.say(json: text.json) : console.say(text.status(console))
        return .success
    }

    private static func cues(_ invocation: Invocation) throws(Failure) -> ExitCode {
        try takeNoOperands(invocation)
        let shot = try OneShot(invocation)
        defer { shot.close() }
        try shot.requireSession()
        var cues = try shot.cues().cues
        let console = Console.standard
        if let words = invocation.value("--find") {
            var finder = CueFinder()
            cues = finder.find(words, in: shot.link.view.cues, limit: .max).map { cues[$0.place] }
            if cues.isEmpty { console.warn("No line has all of “\(SafeText.line(words))”.") }
        }
        if invocation.switches.contains("--json") {
            console.say(String(decoding: CueBundle.cuesJSON(cues), as: UTF8.self))
            return .success
        }
        console.say(lines: cues.map { "\($0.index)  \(TimeText.cue($0.start))  \(SafeText.line($0.text))" })
        return .success
    }
}

/// Which track a person means by a number or a part of a label.
enum TrackChoice {
    static func track(_ text: String, of tracks: [SessionMetadata.Track]) -> SessionMetadata.Track? {
        let exact = tracks.filter { $0.label.lowercased() == text.lowercased() || $0.id == text }
        if exact.count == 1 { return exact[0] }
        if exact.count > 1 { return nil }
        if let number = Int(text) { return tracks.indices.contains(number - 1) ? tracks[number - 1] : nil }
        let matches = tracks.filter { $0.label.lowercased().hasPrefix(text.lowercased()) }
        return matches.count == 1 ? matches[0] : nil
    }
}

extension String {
    /// Half of Europe writes a comma.
    fileprivate var withDecimalPoint: String {
        String(map { $0 == "," ? "." : $0 })
    }
}
