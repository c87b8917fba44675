import Foundation
import LinuxSystem
import Testing

/// Each test sets the environment of a process of its own.
@Suite("Where files live (XDG Base Directory Specification)")
struct DirectoriesTests {
    @Test("in the folders that the variables name")
    func variables() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/someone", 1)
            setenv("XDG_DATA_HOME", "/d", 1)
            setenv("XDG_CACHE_HOME", "/c", 1)
            setenv("XDG_STATE_HOME", "/s", 1)
            #expect(Directories.data == "/d/allspeak")
            #expect(Directories.cache == "/c/allspeak")
            #expect(Directories.state == "/s/allspeak")
        }
    }

    @Test("under the home folder where they are unset, empty or relative", arguments: [nil, "", "relative/path", "."])
    func fallbacks(value: String?) async {
        await #expect(processExitsWith: .success) { [value] in
            setenv("HOME", "/home/someone", 1)
            for name in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
            #expect(Directories.data == "/home/someone/.local/share/allspeak")
            #expect(Directories.cache == "/home/someone/.cache/allspeak")
            #expect(Directories.state == "/home/someone/.local/state/allspeak")
        }
    }

    @Test("under /tmp for a process without a home")
    func noHome() async {
        await #expect(processExitsWith: .success) {
            for name in ["HOME", "XDG_DATA_HOME"] { unsetenv(name) }
            #expect(Directories.data == "/tmp/.local/share/allspeak")
        }
    }

    @Test("an empty variable counts as unset")
    func environment() async {
        await #expect(processExitsWith: .success) {
            setenv("LINUX_SYSTEM_TEST", "", 1)
            #expect(Environment.value("LINUX_SYSTEM_TEST") == nil)
            setenv("LINUX_SYSTEM_TEST", "é", 1)
            #expect(Environment.value("LINUX_SYSTEM_TEST") == "é")
            unsetenv("LINUX_SYSTEM_TEST")
            #expect(Environment.value("LINUX_SYSTEM_TEST") == nil)
        }
    }

    @Test("the machine has the name that the kernel says")
    func hostName() throws {
        let kernel = try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)
        #expect(Environment.hostName == kernel.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
