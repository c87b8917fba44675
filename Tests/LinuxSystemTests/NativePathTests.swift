import Foundation
import LinuxSystem
import Testing

@Suite("Paths of any bytes") struct NativePathTests {
    private func bytes(_ text: String) -> [UInt8] {
        NativePath.bytes(of: text).dropLast().map { UInt8(bitPattern: $0) }
    }

    @Test("UTF-8 stays as it is", arguments: ["", "/a/b.m4a", "café", "cafe\u{301}", "🎬", "\u{10FEFF}"])
    func plain(text: String) {
        #expect(NativePath.text(of: Array(text.utf8)).utf8.elementsEqual(text.utf8))
        #expect(bytes(text) == Array(text.utf8))
        #expect(NativePath.shown(text) == text)
    }

    @Test(
        "other bytes come back, and are shown as marks",
        arguments: [
            [0xFF], [0x61, 0xE9, 0x62], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x8F, 0xBC, 0x80],
            [0x80, 0x81],
        ] as [[UInt8]])
    func others(raw: [UInt8]) {
        let text = NativePath.text(of: raw)
        #expect(bytes(text) == raw)
        #expect(NativePath.shown(text).unicodeScalars.contains("\u{FFFD}"))
    }

    @Test("every sequence of three bytes has a text of its own and comes back")
    func all() {
        var state: UInt64 = 1
        var texts: Set<[UInt8]> = []
        for _ in 0..<50_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            let raw = (0..<3).map { UInt8(truncatingIfNeeded: state >> (20 + 8 * UInt64($0))) }.filter { $0 != 0 }
            #expect(bytes(NativePath.text(of: raw)) == raw)
            texts.insert(Array(NativePath.text(of: raw).utf8))
        }
        #expect(texts.count > 49_000)
    }
}

@Suite("Numbers of bytes for people") struct ByteTextTests {
    @Test(
        "are short",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (1_549, "1.5 kB"), (9_949, "9.9 kB"),
            (9_950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (233_000_000, "233 MB"), (1 << 40, "1.1 TB"),
        ])
    func text(bytes: Int, text: String) {
        #expect(ByteText.size(bytes) == text)
    }
}

@Suite("Files that appear whole") struct UnseenFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("has no name before it appears, and none if it never does")
    func appears() throws {
        let path = folder("film")
        do {
            let file = try UnseenFile(toBecome: path)
            #expect(write(file.descriptor.raw, "abc", 3) == 3)
            #expect(folder.names.filter { !$0.hasSuffix(".part") } == [])
            try file.appear()
        }
        #expect(try Files.read(path, maximumBytes: 10) == Array("abc".utf8))
        do {
            let other = try UnseenFile(toBecome: folder("other"))
            _ = write(other.descriptor.raw, "abc", 3)
        }
        #expect(folder.names == ["film"])
    }

    @Test("never takes the place of another file, not even of one that came meanwhile")
    func keeps() throws {
        let path = folder("film")
        let file = try UnseenFile(toBecome: path)
        try Files.replace(path, with: [1])
        #expect(throws: SystemError.self) { try UnseenFile(toBecome: path).appear() }
        do {
            try file.appear()
            Issue.record("it took the place")
        } catch {
            #expect(error.errno == EEXIST)
        }
        #expect(try Files.read(path, maximumBytes: 10) == [1])
        #expect(folder.names == ["film"])
    }
}

@Suite("Locks between programs") struct FileLockTests {
    @Test("any number share it, one alone has it, and letting go gives it back")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let path = folder("lock")
        do {
            let first = try FileLock(.shared, on: path)
            let second = try FileLock(.shared, on: path)
            #expect(try !isFree(.exclusive, path))
            withExtendedLifetime(first) {}
            withExtendedLifetime(second) {}
        }
        #expect(try isFree(.exclusive, path))
        let alone = try FileLock(.exclusive, on: path)
        #expect(try !isFree(.shared, path))
        withExtendedLifetime(alone) {}
    }

    private func isFree(_ kind: FileLock.Kind, _ path: String) throws -> Bool {
        if let lock = try FileLock.ifFree(kind, on: path) {
            withExtendedLifetime(lock) {}
            return true
        }
        return false
    }
}

@Suite("Copying") struct SourceFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("hands out a file whole, whatever its size", arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
    func whole(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Files.replace(folder("file"), with: bytes)
        let source = try SourceFile(folder("file"))
        #expect(source.byteCount == size)
        var read: [UInt8] = []
        try source.read { piece throws(SystemError) in read += piece }
        #expect(read == bytes)
    }

    @Test("a file that has become shorter is an error, one that has grown is read as it was")
    func changing() throws {
        try Files.replace(folder("file"), with: [1, 2, 3])
        let source = try SourceFile(folder("file"))
        #expect(truncate(folder("file"), 5) == 0)
        var count = 0
        try source.read { piece throws(SystemError) in count += piece.count }
        #expect(count == 3)
        let shrinking = try SourceFile(folder("file"))
        #expect(truncate(folder("file"), 1) == 0)
        #expect(throws: SystemError("read", subject: folder("file"), errno: EIO)) {
            try shrinking.read { _ throws(SystemError) in }
        }
    }

    @Test("only regular files, by links too", arguments: ["folder", "pipe", "missing"])
    func others(name: String) throws {
        try Files.makeDirectory(folder("folder"))
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(throws: SystemError.self) { _ = try SourceFile(folder(name)).byteCount }
    }
}
