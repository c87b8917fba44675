import Foundation
import LinuxSystem
import Testing

@Suite("Whole files")
struct FilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
    }

    private func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder(name))[.posixPermissions] as? Int
    }

    // MARK: Reading

    @Test("a file is read whole, whatever its size", arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func read(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try write(bytes, to: "file")
        #expect(try Files.read(folder("file"), maximumBytes: size) == bytes)
    }

    @Test("a file of the kernel, which claims to be empty, is read whole")
    func kernelFile() throws {
        #expect(try Files.read("/proc/self/status", maximumBytes: 1 << 20).count > 100)
    }

    @Test("through a symbolic link too")
    func link() throws {
        try write([1, 2], to: "file")
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("file"))
        #expect(try Files.read(folder("link"), maximumBytes: 10) == [1, 2])
    }

    @Test("a file larger than asked for is refused, a kernel's file too")
    func tooLarge() throws {
        try write([1, 2, 3], to: "file")
        #expect(throws: SystemError("read", subject: folder("file"), errno: EFBIG)) {
            try Files.read(folder("file"), maximumBytes: 2)
        }
        #expect(throws: SystemError("read", subject: "/proc/self/status", errno: EFBIG)) {
            try Files.read("/proc/self/status", maximumBytes: 10)
        }
    }

    @Test("one that is not there is named")
    func missing() {
        #expect(throws: SystemError("open", subject: folder("none"), errno: ENOENT)) {
            try Files.read(folder("none"), maximumBytes: 10)
        }
        #expect(throws: SystemError("open", subject: "", errno: ENOENT)) { try Files.read("", maximumBytes: 10) }
    }

    @Test("a folder is no file")
    func directory() {
        #expect(throws: SystemError("read", subject: folder.path, errno: EISDIR)) {
            try Files.read(folder.path, maximumBytes: 10)
        }
    }

    @Test("a pipe that nobody writes to is refused at once", .timeLimit(.minutes(1)))
    func fifo() {
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(throws: SystemError("read", subject: folder("pipe"), errno: EINVAL)) {
            try Files.read(folder("pipe"), maximumBytes: 10)
        }
    }

    @Test("a device that never ends is refused")
    func device() {
        #expect(throws: SystemError("read", subject: "/dev/zero", errno: EINVAL)) {
            try Files.read("/dev/zero", maximumBytes: 10)
        }
    }

    // MARK: Replacing

    @Test("a file is made or replaced, for its owner alone unless told otherwise")
    func replace() throws {
        try Files.replace(folder("file"), with: [1, 2, 3])
        #expect(try Files.read(folder("file"), maximumBytes: 10) == [1, 2, 3])
        #expect(try mode(of: "file") == 0o600)
        try Files.replace(folder("file"), with: [], mode: 0o640)
        #expect(try Files.read(folder("file"), maximumBytes: 10) == [])
        #expect(try mode(of: "file") == 0o640)
        #expect(folder.names == ["file"])
    }

    @Test("whoever has the old file open keeps reading the old bytes: it is exchanged, not overwritten")
    func atomicForReaders() throws {
        try Files.replace(folder("file"), with: Array("old".utf8))
        let old = try #require(FileHandle(forReadingAtPath: folder("file")))
        try Files.replace(folder("file"), with: Array("new".utf8))
        #expect(try old.readToEnd() == Data("old".utf8))
        #expect(try Files.read(folder("file"), maximumBytes: 10) == Array("new".utf8))
    }

    @Test("a symbolic link is replaced, not written through")
    func replacesLink() throws {
        try write([9], to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("target"))
        try Files.replace(folder("link"), with: [1])
        #expect(try Files.read(folder("target"), maximumBytes: 10) == [9])
        #expect(try Files.read(folder("link"), maximumBytes: 10) == [1])
    }

    @Test("where it fails, the old content is still there and nothing is left beside it")
    func failedReplacement() throws {
        try FileManager.default.createDirectory(atPath: folder("file/inside"), withIntermediateDirectories: true)
        #expect(throws: SystemError("rename", subject: folder("file"), errno: EISDIR)) {
            try Files.replace(folder("file"), with: [1])
        }
        #expect(folder.names == ["file"])
        #expect(throws: SystemError.self) { try Files.replace(folder("none/file"), with: [1]) }
        #expect(folder.names == ["file"])
    }

    @Test("many threads may replace one file: it is always one of the contents, whole")
    func concurrentReplacement() async throws {
        let path = folder("file")
        let sizes = 1...8
        try Files.replace(path, with: [UInt8](repeating: 1, count: 1_000))
        try await withThrowingTaskGroup { group in
            for size in sizes {
                group.addTask {
                    for _ in 0..<20 {
                        try Files.replace(path, with: [UInt8](repeating: UInt8(size), count: size * 1_000))
                        let seen = try Files.read(path, maximumBytes: 10_000)
                        #expect(Set(seen).count == 1)
                        #expect(seen.count == Int(seen.first ?? 0) * 1_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(folder.names == ["file"])
    }

    // MARK: Folders and names

    @Test("a folder is made with those above it, for its owner alone; one that exists is fine")
    func makeDirectory() throws {
        try Files.makeDirectory(folder("a/b/c"))
        try Files.makeDirectory(folder("a/b/c"))
        try Files.makeDirectory(folder("a/d/"))
        #expect(try mode(of: "a") == 0o700)
        #expect(try mode(of: "a/b/c") == 0o700)
        #expect(Files.names(in: folder("a")).sorted() == ["b", "d"])
    }

    @Test("a file in the way of a folder is an error with the path")
    func fileInTheWay() throws {
        try write([1], to: "file")
        #expect(throws: SystemError("mkdir", subject: folder("file"), errno: EEXIST)) {
            try Files.makeDirectory(folder("file"))
        }
        #expect(throws: SystemError("mkdir", subject: folder("file/a"), errno: ENOTDIR)) {
            try Files.makeDirectory(folder("file/a"))
        }
        #expect(throws: SystemError("mkdir", subject: "", errno: ENOENT)) { try Files.makeDirectory("") }
    }

    @Test("names come without the two dots; a folder that cannot be read has none")
    func names() throws {
        let long = String(repeating: "n", count: 255)
        for name in [".hidden", "б", long] { try write([], to: name) }
        #expect(Files.names(in: folder.path).sorted() == [".hidden", long, "б"])
        #expect(Files.names(in: folder("none")) == [])
    }

    @Test("removing what is not there is fine")
    func remove() throws {
        try write([], to: "file")
        Files.remove(folder("file"))
        Files.remove(folder("file"))
        #expect(folder.names == [])
    }

    @Test("a path becomes absolute from the working directory")
    func absolute() {
        #expect(Files.absolute("/a/../b") == "/a/../b")
        #expect(Files.absolute("a") == FileManager.default.currentDirectoryPath + "/a")
    }

    @Test("a tree goes with all that is in it; what a link in it leads to stays")
    func removeTree() throws {
        try Files.makeDirectory(folder("tree/deep/er"))
        try Files.makeDirectory(folder("victim"))
        try write([1], to: "victim/kept")
        try write([1], to: "tree/deep/file")
        #expect(symlink(folder("victim"), folder("tree/deep/link")) == 0)
        #expect(symlink(folder("nowhere"), folder("tree/dangling")) == 0)
        Files.removeTree(folder("tree"))
        #expect(folder.names == ["victim"])
        #expect(Files.exists(folder("victim/kept")))
        Files.removeTree(folder("tree"))
    }

    @Test("what a person wants written goes into the device or through the link that is there, and replaces a file")
    func writeTo() throws {
        try write([1], to: "target")
        #expect(symlink(folder("target"), folder("link")) == 0)
        try Files.write([2, 3], to: folder("link"), mode: 0o644)
        #expect(try Files.read(folder("target"), maximumBytes: 9) == [2, 3])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("link")) == folder("target"))
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        let reader = open(folder("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try Files.write([4], to: folder("pipe"), mode: 0o644)
        var byte: UInt8 = 0
        #expect(Foundation.read(reader, &byte, 1) == 1 && byte == 4)
        try Files.write([5], to: folder("new"), mode: 0o644)
        #expect(folder.names == ["link", "new", "pipe", "target"])
    }
}
