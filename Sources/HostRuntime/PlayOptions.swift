internal import LinuxSystem
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-host play` as it was asked for.
struct PlayOptions: Equatable {
    struct Audio: Equatable {
        /// Absolute.
        var path: String
        /// `nil` where none was given.
        var label: String?
    }

    enum Output: Equatable {
        case automatic
        case pulse(sink: String?)
        case clock
    }

    static let defaultPort: UInt16 = 42557

    var query: String?
    var audio: [Audio] = []
    var subtitles: String?
    var title: String?
    var startsAtOnce = false
    var port = defaultPort
    /// Empty: both loopback addresses.
    var bind: [String] = []
    var output = Output.automatic
    var announces = true
    var name: String?
    var connections: Int?
    var isJSON = false
    var data: String
    /// Where this host's id is kept: with the library if one was named, so that two libraries are two hosts.
    var identityFolder: String

    /// - Throws: `Failure` with code `usage`.
    init(_ invocation: Invocation) throws(Failure) {
        data = try DataFolder.path(invocation)
        identityFolder = invocation.value("--data") == nil ? Directories.state : data
        isJSON = invocation.switches.contains("--json")
        startsAtOnce = invocation.switches.contains("--start")
        title = invocation.value("--title")
        name = invocation.value("--name")
        subtitles = invocation.value("--subtitles").map(Files.absolute)
        audio = (invocation.values["--audio"] ?? []).map(Self.audio)
        try takeOperands(invocation.operands)
        if let text = invocation.value("--port") {
            guard let number = UInt16(text) else { throw Self.usage("--port takes a number from 0 to 65535") }
            port = number
        }
        if let text = invocation.value("--connections") {
            guard let number = Int(text), (1...10_000).contains(number) else {
                throw Self.usage("--connections takes a number from 1 to 10000")
            }
            connections = number
        }
        if let text = invocation.value("--output") { output = try Self.output(text) }
        if let address = invocation.value("--bind") {
            guard Endpoint(address: address, port: 0).isLoopback else {
                throw Self.usage(
                    "--bind takes a loopback address (127.0.0.1 or ::1): other machines are served once the connection is encrypted, which this version cannot do yet"
                )
            }
            bind = [address]
        }
        switch invocation.value("--mdns") {
        case nil, "on": announces = true
        case "off": announces = false
        default: throw Self.usage("--mdns takes on or off")
        }
    }

    private mutating func takeOperands(_ operands: [String]) throws(Failure) {
        guard operands.count <= 1 else { throw Self.usage("play takes one SESSION, not \(operands.count)") }
        query = operands.first
        if let query, !audio.isEmpty || subtitles != nil || title != nil {
            throw Self.usage(
                Files.exists(query)
                    ? "\(query) stands alone; each track needs an --audio of its own"
                    : "Name a SESSION or files, not both")
        }
        if let title, SafeText.line(title).isEmpty { throw Self.usage("--title shows at least one character") }
        if query == nil, audio.isEmpty {
            throw Self.usage(
                "There is nothing to play: name a SESSION (allspeak-host sessions list) or give --audio FILE")
        }
        if query == nil, subtitles == nil {
            throw Self.usage("--subtitles FILE is missing: remotes steer by its lines")
        }
    }

    /// `FILE=LABEL`; where a file of that whole name exists, it is meant.
    static func audio(_ text: String) -> Audio {
        if let equals = text.lastIndex(of: "="), !Files.exists(text) {
            let label = String(text[text.index(after: equals)...])
            let path = String(text[..<equals])
            return Audio(path: Files.absolute(path), label: label.isEmpty ? nil : label)
        }
        return Audio(path: Files.absolute(text))
    }

    private static func output(_ text: String) throws(Failure) -> Output {
        switch text {
        case "auto": return .automatic
        case "pulse": return .pulse(sink: nil)
        case "null": return .clock
        default:
            guard text.hasPrefix("pulse:"), text.count > 6 else {
                throw usage("--output takes auto, pulse, pulse:SINK or null")
            }
            return .pulse(sink: String(text.dropFirst(6)))
        }
    }

    private static func usage(_ problem: String) -> Failure {
        HostSyntax.program.usage(problem, of: HostSyntax.play)
    }
}

enum DataFolder {
    /// - Throws: `Failure` with code `usage` for a name without a letter, as of a variable that is not set.
    static func path(_ invocation: Invocation) throws(Failure) -> String {
        if invocation.value("--data") == "" {
            throw Failure(.usage, "--data is empty, and no folder is called so. Name one, or leave it out.")
        }
        return Files.absolute(invocation.value("--data") ?? Environment.value("ALLSPEAK_DATA") ?? Directories.data)
    }
}
