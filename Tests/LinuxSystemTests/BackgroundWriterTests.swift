import Glibc
import LinuxSystem
import Testing

@Suite("Output from a thread of its own")
struct BackgroundWriterTests {
    @Test("that cannot be written is remembered as the first error")
    func failure() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        let writer = try BackgroundWriter(to: full)
        #expect(writer.failure == nil)
        writer.write(line: Array("lost".utf8))
        writer.flush(within: 5)
        #expect(writer.failure == SystemError("write", errno: ENOSPC))
    }

    @Test("that nobody reads on is told as a broken pipe, and the program lives")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            let writer = try BackgroundWriter(to: ends[1])
            writer.write(line: Array("read".utf8))
            writer.flush(within: 5)
            precondition(writer.failure == nil)
            close(ends[0])
            writer.write(line: Array("not read".utf8))
            writer.flush(within: 5)
            precondition(writer.failure?.isBrokenPipe == true)
        }
    }
}
