import Glibc
import LinuxSystem
import Testing

@Suite("The descriptors of a process")
struct DescriptorsTests {
    // That those which are closed are filled is tried with whole programs (EndToEndTests): here a thread of the test's own
    // runtime may take a number between its closing and the call.
    @Test("none that is open is touched")
    func standardGaps() async {
        await #expect(processExitsWith: .success) {
            var before = stat()
            var after = stat()
            for number in Int32(0)...2 {
                fstat(number, &before)
                Descriptors.fillStandardGaps()
                fstat(number, &after)
                precondition(before.st_ino == after.st_ino && before.st_dev == after.st_dev)
            }
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
