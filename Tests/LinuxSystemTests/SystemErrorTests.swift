import Foundation
import LinuxSystem
import Testing

@Suite("What a failed system call is told as")
struct SystemErrorTests {
    @Test(
        "the subject and the system's own words, without a final stop",
        arguments: [
            (SystemError("open", subject: "/a/b", errno: ENOENT), "/a/b: No such file or directory"),
            (
                SystemError("bind", subject: "127.0.0.1:42557", errno: EADDRINUSE),
                "127.0.0.1:42557: Address already in use"
            ),
            (SystemError("epoll_wait", errno: EBADF), "Bad file descriptor"),
            (SystemError("x", errno: 9_999), "Unknown error 9999"),
        ])
    func sentence(error: SystemError, expected: String) {
        #expect(error.sentence == expected)
    }

    @Test("a call that fails throws its name, its subject and the reason")
    func failure() {
        #expect(throws: SystemError("close", subject: "it", errno: EBADF)) {
            try retryingInterrupts("close", subject: "it") { close(-1) }
        }
    }

    @Test("a call that a signal interrupted is made again")
    func interrupted() throws {
        var calls = 0
        let result = try retryingInterrupts("read") { () -> Int in
            calls += 1
            errno = EINTR
            return calls < 3 ? -1 : 42
        }
        #expect(result == 42)
        #expect(calls == 3)
    }
}

@Suite("Clock and descriptors")
struct ClockAndDescriptorTests {
    @Test("the monotonic clock never goes back")
    func monotonic() {
        var last = MonotonicClock.now()
        for _ in 0..<10_000 {
            let now = MonotonicClock.now()
            #expect(now >= last)
            last = now
        }
    }

    @Test("the wall clock is the system's")
    func wall() {
        let difference = Double(MonotonicClock.wallNanoseconds()) / 1e9 - Date().timeIntervalSince1970
        #expect(abs(difference) < 5)
    }

    @Test("a descriptor is closed when its owner goes")
    func descriptorCloses() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        do {
            let writer = FileDescriptor(owning: ends[1])
            #expect(write(writer.raw, "x", 1) == 1)
        }
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        // The end of the stream comes only once nobody can write any more.
        #expect(read(ends[0], &byte, 1) == 0)
        close(ends[0])
    }
}
