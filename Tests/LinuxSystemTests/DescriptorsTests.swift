import Glibc
import LinuxSystem
import Testing

@Suite("The descriptors of a process")
struct DescriptorsTests {
    @Test("those that were closed at its start lead nowhere, and no file takes their number", arguments: [0, 1, 2])
    func standardGaps(closed: Int32) async {
        await #expect(processExitsWith: .success) { [closed] in
            close(closed)
            Descriptors.fillStandardGaps()
            precondition(open("/dev/null", O_RDONLY) > 2)
            var byte: UInt8 = 0
            if closed == 0 { precondition(read(0, &byte, 1) == 0) }
            if closed > 0 { precondition(write(closed, &byte, 1) == -1 && errno == EBADF) }
        }
    }

    @Test("all three at once, and none that is open is touched")
    func allGaps() async {
        await #expect(processExitsWith: .success) {
            var before = stat()
            var after = stat()
            fstat(1, &before)
            Descriptors.fillStandardGaps()
            fstat(1, &after)
            precondition(before.st_ino == after.st_ino && before.st_dev == after.st_dev)
            for number in Int32(0)...2 { close(number) }
            Descriptors.fillStandardGaps()
            precondition(open("/dev/null", O_RDONLY) > 2)
        }
    }

    @Test("more are allowed where the system lets them be, and never fewer than before")
    func allow() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit(rlim_cur: 100, rlim_max: 300)
            precondition(setrlimit(resource, &limit) == 0)
            precondition(Descriptors.allow(50) == 100)
            precondition(Descriptors.allow(200) == 200)
            precondition(Descriptors.allow(1_000) == 300, "as many as there may be")
            getrlimit(resource, &limit)
            precondition(limit.rlim_cur == 300 && limit.rlim_max == 300)
        }
    }
}
