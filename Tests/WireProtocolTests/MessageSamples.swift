import WireProtocol

/// Messages with every optional part present, absent, and holding what is awkward to write.
enum Samples {
    static let date = WireDate(milliseconds: 1_772_368_496_789)
    static let awkward = "}{\"\\ \n\r\t\u{0}\u{7F} é \u{2028} 🎬 مرحبا"

    static let remote: [RemoteMessage] =
        commands.map(RemoteMessage.command) + [
            .hello(RemoteHello(remoteID: "r1", remoteName: "Phone")),
            .hello(RemoteHello(protocolVersion: 2, remoteID: awkward, remoteName: "")),
            .hello(
                RemoteHello(
                    remoteID: "r1", remoteName: "Phone", token: awkward, cues: .init(sessionID: "S", digest: "d"))),
            .ping(.object([])),
            .ping(.object([.init("at", .number(1.5)), .init(awkward, .array([.string(awkward)]))])),
            .pong(Pong(payload: .object([.init("serverDate", .string("mine"))]))),
            .goodbye(.finished), .goodbye(.shutdown), .goodbye(.timeout), .goodbye(.other(awkward)),
        ]

    static let commands: [Command] = [
        .play, .pause, .togglePlayPause, .skip(seconds: 5), .skip(seconds: -0.5), .skip(seconds: 1e-9), .seek(time: 0),
        .seek(time: 3_723.456_789), .seek(time: -1), .switchTrack(trackID: awkward), .setVolume(0), .setVolume(1),
        .setVolume(0.35), .requestCueChunk(CueChunkRequest(sessionID: "S", revision: 0, index: 12)),
        .describe(name: nil), .describe(name: "host/snapshot.json"), .describe(name: awkward),
    ]

    static let host: [HostMessage] = [
        .hello(
            HostHello(
                hostID: "h", hostName: awkward, software: "Allspeak 1", serverDate: date, features: ["a", awkward],
                authentication: .token)),
        .hello(HostHello(protocolVersion: 9, hostID: "", hostName: "", software: "", serverDate: date, features: [])),
        .metadata(
            SessionMetadata(
                sessionID: "S", revision: 3, title: awkward, duration: 7_265.44, cueCount: 1_288, cueDigest: "d",
                isPlaying: true, currentTime: 12.000_001, serverDate: date,
                tracks: [.init(id: "1", label: awkward), .init(id: "2", label: "")], activeTrackID: "2", by: "Phone")),
        .metadata(
            SessionMetadata(
                sessionID: "S", revision: 0, title: "", duration: 0, cueCount: 0, cueDigest: "", isPlaying: false,
                currentTime: 0, serverDate: WireDate(milliseconds: 0), tracks: [])),
        .snapshot(
            Snapshot(
                sessionID: "S", revision: 3, currentTime: 0.000_001, duration: 7_265.44, currentIndex: 412,
                isPlaying: true, isStalled: true, serverDate: date, activeTrackID: "1", volume: 0.62,
                output: .init(name: awkward, latency: 0.0412, isPresent: false, isMuted: true))),
        .snapshot(
            Snapshot(
                sessionID: "S", revision: 3, currentTime: 1, duration: 2, currentIndex: 0, isPlaying: false,
                serverDate: date, output: .init(name: "clock", isPresent: true))),
        .snapshot(
            Snapshot(
                sessionID: "S", revision: 3, currentTime: 1, duration: 2, currentIndex: 0, isPlaying: false,
                serverDate: date)),
        .cueChunk(CueChunk(sessionID: "S", revision: 1, index: 0, totalChunks: 1, data: [])),
        .cueChunk(CueChunk(sessionID: "S", revision: 1, index: 1, totalChunks: 2, data: Array(0...255))),
        .sessionEnded,
        .schema(.names([])), .schema(.names(["host.json", awkward])),
        .schema(.schema(name: awkward, text: #"{"a":{"b":"\\\""}}"#)),
        .ping(.object([])), .pong(Pong(payload: .object([]), serverDate: date)),
        .pong(Pong(payload: .object([.init("at", .integer(7))]), serverDate: date)),
        .goodbye(.shutdown), .goodbye(.other("tea")),
    ]

    static let errors: [HostMessage] = WireError.Code.allCases.map { .error(WireError($0, "One sentence.")) }
}
