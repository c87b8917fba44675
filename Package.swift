// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 mode (the tools version's default), and a warning is an error.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func binding(_ name: String, debian packages: String...) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Bindings/\(name)",
        providers: packages.isEmpty ? nil : [.apt(packages)])
}

func module(_ name: String, _ dependencies: String...) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: strict,
        // The standard library's rounding calls libm, which only an import of Glibc would link.
        linkerSettings: [.linkedLibrary("m")])
}

func program(_ name: String, _ dependencies: String...) -> Target {
    .executableTarget(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: String...) -> Target {
    .testTarget(name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

/// Optimised also in debug builds: it searches recordings sample by sample.
let probe = Target.target(
    name: "Probe", dependencies: ["Playback", "WireProtocol"], swiftSettings: strict + [.unsafeFlags(["-O"])],
    linkerSettings: [.linkedLibrary("m")])

/// What tests share; optimised, as `probe` is, for recordings taken sample by sample.
let testKit = Target.target(
    name: "TestKit", dependencies: ["LinuxSystem", "Probe", "WireProtocol"], path: "Tests/TestKit",
    swiftSettings: strict + [.unsafeFlags(["-O"])], linkerSettings: [.linkedLibrary("m")])

let package = Package(
    name: "allspeak",
    products: [
        .executable(name: "allspeak-host", targets: ["allspeak-host"]),
        .executable(name: "allspeak-remote", targets: ["allspeak-remote"]),
        .executable(name: "allspeak-conformance", targets: ["allspeak-conformance"]),
    ],
    targets: [
        // C libraries, one module map each.
        binding("CArchive", debian: "libarchive-dev"),
        binding("CZlib", debian: "zlib1g-dev"),
        binding("CNettle", debian: "nettle-dev"),
        binding("CLinux"),
        binding(
            "CFFmpeg",
            debian: "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev"),
        binding("CPulse", debian: "libpulse-dev"),
        binding("CAvahi", debian: "libavahi-client-dev"),
        binding("CSQLite", debian: "libsqlite3-dev"),
        binding("CUchardet", debian: "libuchardet-dev"),
        binding("CCurses", debian: "libncurses-dev"),

        // Pure: no sockets, files, clocks or threads; time is an argument.
        module("WireProtocol", "CZlib", "CNettle"),
        module("Subtitles", "WireProtocol"),
        module("CueSearch", "WireProtocol"),
        module("Playback", "WireProtocol"),
        module("Hub", "WireProtocol"),
        module("HostCore", "Hub", "Playback", "WireProtocol"),
        module("RemoteCore", "CueSearch", "WireProtocol"),
        module("TextScreen"),
        module("RemoteScreen", "CueSearch", "RemoteCore", "TextScreen", "WireProtocol"),
        probe,
        module("Conformance", "HostCore", "Playback", "RemoteCore", "WireProtocol"),

        // Edges: touch the world, decide nothing.
        module("LinuxSystem", "CLinux", "WireProtocol"),
        module("Charset", "CUchardet", "Subtitles"),
        module("AudioEngine", "CFFmpeg", "CPulse", "LinuxSystem", "Playback", "Probe", "WireProtocol"),
        module("SessionLibrary", "CArchive", "CSQLite", "LinuxSystem", "Playback", "WireProtocol"),
        module("Discovery", "CAvahi", "LinuxSystem", "WireProtocol"),
        module("Transport", "CLinux", "LinuxSystem", "WireProtocol"),
        module("Terminal", "CCurses", "CLinux", "LinuxSystem", "TextScreen", "WireProtocol"),

        // Composition.
        module("TerminalUI", "LinuxSystem", "WireProtocol"),
        module(
            "HostRuntime", "AudioEngine", "Charset", "CueSearch", "Discovery", "HostCore", "LinuxSystem", "Playback",
            "Probe", "SessionLibrary", "Subtitles", "TerminalUI", "TextScreen", "Transport", "WireProtocol"),
        module(
            "RemoteRuntime", "CueSearch", "Discovery", "LinuxSystem", "RemoteCore", "RemoteScreen", "Terminal",
            "TerminalUI", "TextScreen", "Transport", "WireProtocol"),
        module("ConformanceRuntime", "Conformance", "LinuxSystem", "TerminalUI", "Transport", "WireProtocol"),
        program("allspeak-host", "HostRuntime"),
        program("allspeak-remote", "RemoteRuntime"),
        program("allspeak-conformance", "ConformanceRuntime"),

        tests("WireProtocolTests", "WireProtocol"),
        tests("SubtitlesTests", "Subtitles", "WireProtocol"),
        tests("CharsetTests", "Charset", "Subtitles", "WireProtocol"),
        tests("CueSearchTests", "CueSearch", "WireProtocol"),
        tests("PlaybackTests", "Playback", "WireProtocol"),
        tests("HubTests", "Hub", "WireProtocol"),
        tests("HostCoreTests", "HostCore", "Hub", "Playback", "WireProtocol"),
        tests("RemoteCoreTests", "CueSearch", "RemoteCore", "WireProtocol"),
        tests("TextScreenTests", "TextScreen"),
        tests("RemoteScreenTests", "CueSearch", "RemoteCore", "RemoteScreen", "TextScreen", "WireProtocol"),
        tests("ConformanceKitTests", "Conformance", "LinuxSystem", "WireProtocol"),
        tests("LinuxSystemTests", "LinuxSystem", "WireProtocol"),
        tests("ProbeTests", "Playback", "Probe", "WireProtocol"),
        tests(
            "AudioEngineTests", "AudioEngine", "CallCounter", "LinuxSystem", "Playback", "Probe", "TestKit",
            "WireProtocol"),
        tests("SessionLibraryTests", "SessionLibrary", "LinuxSystem", "Playback", "WireProtocol"),
        tests("DiscoveryTests", "Discovery", "WireProtocol"),
        tests("TransportTests", "Transport", "LinuxSystem", "WireProtocol"),
        tests("TerminalTests", "LinuxSystem", "Terminal", "TestKit", "TextScreen", "WireProtocol", "terminal-demo"),
        tests("TerminalUITests", "TerminalUI", "WireProtocol"),
        tests(
            "HostRuntimeTests", "AudioEngine", "HostRuntime", "LinuxSystem", "Probe", "TerminalUI", "TestKit",
            "WireProtocol"),
        tests(
            "RemoteRuntimeTests", "RemoteCore", "RemoteRuntime", "LinuxSystem", "TerminalUI", "TestKit", "Transport",
            "WireProtocol"),
        tests(
            "ConformanceTests", "TestKit", "HostCore", "Hub", "LinuxSystem", "Playback", "RemoteCore", "WireProtocol",
            "allspeak-conformance", "allspeak-host", "allspeak-remote"),
        // The programs themselves, so that building the tests builds them.
        tests("TestKitTests", "LinuxSystem", "TestKit", "WireProtocol"),
        tests("EndToEndTests", "TestKit", "LinuxSystem", "Probe", "WireProtocol", "allspeak-host", "allspeak-remote"),

        testKit,
        .executableTarget(
            name: "terminal-demo", dependencies: ["LinuxSystem", "Terminal", "TextScreen", "Transport"],
            path: "Tests/TerminalDemo", swiftSettings: strict),
        .target(name: "CallCounter", path: "Tests/CallCounter"),
    ]
)

/// `Tests/Fuzz/run` sets this: then there are only the fuzzers and what they try, so that nothing else is built for them.
if Context.environment["ALLSPEAK_FUZZ"] != nil {
    func fuzzer(_ folder: String, _ dependencies: String...) -> Target {
        .executableTarget(
            name: "fuzz-\(folder)",
            dependencies: (["FuzzKit", "WireProtocol"] + dependencies).map { .init(stringLiteral: $0) },
            path: "Tests/Fuzz/\(folder)", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")])
    }
    let tried: Set = [
        "CZlib", "CNettle", "CLinux", "CAvahi", "CUchardet", "WireProtocol", "Subtitles", "Charset", "CueSearch",
        "Playback", "Hub", "RemoteCore", "LinuxSystem", "Discovery",
    ]
    package.products = []
    package.targets =
        package.targets.filter { tried.contains($0.name) } + [
            .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
            .target(
                name: "FuzzKit", dependencies: ["CLibFuzzer", "WireProtocol"], path: "Tests/Fuzz/Kit",
                swiftSettings: strict,
                linkerSettings: [.linkedLibrary("m")]),
            fuzzer("Framing"),
            fuzzer("RemoteFrames"),
            fuzzer("HostFrames"),
            fuzzer("CueBundles"),
            fuzzer("Connection", "Hub"),
            fuzzer("Subtitles", "Charset", "Subtitles"),
            fuzzer("CueSearch", "CueSearch"),
            fuzzer("Remote", "RemoteCore"),
            fuzzer("Transport", "Playback"),
            fuzzer("ServiceText", "Discovery"),
            fuzzer("Dates"),
            fuzzer("SafeText"),
        ]
}

/// `Tests/Benchmarks/subtitles` sets this: then there is only what it measures.
if Context.environment["ALLSPEAK_BENCHMARK"] != nil {
    let measured: Set = [
        "CZlib", "CNettle", "CLinux", "CUchardet", "WireProtocol", "LinuxSystem", "Subtitles", "Charset", "CueSearch",
    ]
    package.products = []
    package.targets =
        package.targets.filter { measured.contains($0.name) } + [
            .executableTarget(
                name: "benchmark-subtitles",
                dependencies: ["Charset", "CueSearch", "LinuxSystem", "Subtitles", "WireProtocol"],
                path: "Tests/Benchmarks/Subtitles", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")])
        ]
}
