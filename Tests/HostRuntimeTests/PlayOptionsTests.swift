import LinuxSystem
import TerminalUI
import TestKit
import Testing

@testable import HostRuntime

@Suite("Options of play") struct PlayOptionsTests {
    private func options(_ arguments: String...) throws -> PlayOptions {
        try PlayOptions(HostSyntax.program.parse(["play"] + arguments))
    }

    private func fault(_ arguments: [String]) -> Failure? {
        do {
            _ = try PlayOptions(HostSyntax.program.parse(["play"] + arguments))
            return nil
        } catch {
            return error
        }
    }

    @Test("files and labels; a label may be missing") func files() throws {
        let options = try options("--audio", "/f/a.en.m4a=English", "--audio", "/f/b.m4a", "--subtitles", "/f/s.srt")
        #expect(options.audio.map(\.path) == ["/f/a.en.m4a", "/f/b.m4a"])
        #expect(options.audio.map(\.label) == ["English", nil])
        #expect(options.subtitles == "/f/s.srt")
        #expect(options.port == 42557)
        #expect(options.output == .automatic)
        #expect(options.announces)
    }

    @Test("an empty --data, as of a variable that is not set, is no folder") func emptyData() {
        #expect(fault(["film", "--data", ""])?.code == .usage)
    }

    @Test("a file whose name holds an equals sign is found where it exists") func equalsInName() throws {
        let folder = try TemporaryFolder("options")
        let path = try folder.file("a=b.m4a", "")
        let options = try options("--audio", path, "--subtitles", "/s.srt")
        #expect(options.audio == [.init(path: path, label: nil)])
    }

    @Test("relative paths are taken from the working folder") func relative() throws {
        let options = try options("--audio", "a.m4a", "--subtitles", "s.srt")
        #expect(options.audio[0].path.hasPrefix("/"))
        #expect(options.audio[0].path.hasSuffix("/a.m4a"))
    }

    @Test(
        "outputs",
        arguments: [
            ("auto", PlayOptions.Output.automatic), ("pulse", .pulse(sink: nil)),
            ("pulse:hall", .pulse(sink: "hall")), ("null", .clock),
        ])
    func outputs(text: String, output: PlayOptions.Output) throws {
        #expect(try options("film", "--output", text).output == output)
    }

    @Test("a host that keeps its library elsewhere is another host") func identity() throws {
        #expect(try options("film").identityFolder == Directories.state)
        #expect(try options("film", "--data", "/d").identityFolder == "/d")
    }

    @Test(
        "what cannot be meant is refused with exit code 64",
        arguments: [
            [], ["--audio", "a.m4a"], ["--subtitles", "s.srt"], ["film", "--audio", "a.m4a"], ["one", "two"],
            ["film", "--port", "70000"], ["film", "--port", "x"], ["film", "--connections", "0"],
            ["film", "--output", "alsa"], ["film", "--output", "pulse:"], ["film", "--mdns", "maybe"],
            ["film", "--bind", "0.0.0.0"], ["film", "--bind", "192.168.1.2"],
        ])
    func refused(arguments: [String]) {
        #expect(fault(arguments)?.code == .usage)
    }

    @Test("another machine is refused with the reason") func bind() {
        #expect(fault(["film", "--bind", "0.0.0.0"])?.message.contains("encrypted") == true)
        #expect(fault(["film", "--bind", "::1"]) == nil)
    }
}

@Suite("Host identity") struct HostIdentityTests {
    @Test("the id stays, is private to its user, and fits a TXT record") func stays() throws {
        let kept = try TemporaryFolder("identity")
        let folder = kept.path
        let first = HostIdentity(folder: folder, name: "Ana's ThinkPad", isAlone: true)
        let second = HostIdentity(folder: folder, name: nil, isAlone: true)
        #expect(first.id == second.id)
        #expect(first.id.count == 16)
        #expect(first.name == "Ana's ThinkPad")
        Files.remove(folder + "/host-id")
        #expect(HostIdentity(folder: folder, name: nil, isAlone: true).id != first.id)
    }

    @Test("a second host on the same folder is another host while the first runs") func second() throws {
        let kept = try TemporaryFolder("identity")
        let folder = kept.path
        #expect(HostIdentity.claim(folder))
        // flock belongs to the open file, so this process can stand for another one.
        #expect(!HostIdentity.claim(folder))
        let first = HostIdentity(folder: folder, name: nil, isAlone: true)
        let second = HostIdentity(folder: folder, name: nil, isAlone: false)
        #expect(first.id != second.id)
        #expect(HostIdentity(folder: folder, name: nil, isAlone: true).id == first.id)
    }

    @Test("a damaged id is replaced", arguments: ["", "short", "UPPERCASEUPPERCA", "sixteen letters!"])
    func damaged(content: String) throws {
        let kept = try TemporaryFolder("identity")
        let folder = kept.path
        try Files.replace(folder + "/host-id", with: Array(content.utf8))
        let identity = HostIdentity(folder: folder, name: nil, isAlone: true)
        #expect(identity.id != content)
        #expect(HostIdentity(folder: folder, name: nil, isAlone: true).id == identity.id)
    }
}
