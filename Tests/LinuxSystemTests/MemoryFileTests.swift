import LinuxSystem
import Testing

@Suite("Files in memory")
struct MemoryFileTests {
    @Test("it can be opened by its path as often as wanted, and is gone with its object")
    func lifetime() throws {
        var path = ""
        do {
            let file = try MemoryFile("test", bytes: [1, 2, 3])
            path = file.path
            for _ in 0..<2 { #expect(try Files.read(path, maximumBytes: 10) == [1, 2, 3]) }
            withExtendedLifetime(file) {}
        }
        let rest = try? Files.read(path, maximumBytes: 10)
        #expect(rest != [1, 2, 3])
    }
}
