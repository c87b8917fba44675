internal import Glibc

/// Where this program's files live (XDG Base Directory Specification 0.8).
package enum Directories {
    /// Sessions and the library.
    package static var data: String { folder("XDG_DATA_HOME", fallback: ".local/share") }
    /// What can be made again.
    package static var cache: String { folder("XDG_CACHE_HOME", fallback: ".cache") }
    /// Identities and the remote's memory.
    package static var state: String { folder("XDG_STATE_HOME", fallback: ".local/state") }

    /// What is of no use after this process.
    package static var temporary: String {
        if let path = Environment.value("TMPDIR"), path.hasPrefix("/") { return path }
        return "/tmp"
    }

    private static func folder(_ variable: String, fallback: String) -> String {
        // The specification has relative paths ignored.
        if let path = Environment.value(variable), path.hasPrefix("/") { return path + "/allspeak" }
        return (Environment.value("HOME") ?? "/tmp") + "/" + fallback + "/allspeak"
    }
}

package enum Environment {
    /// The variable's value, `nil` where unset or empty.
    package static func value(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        let value = String(cString: text)
        return value.isEmpty ? nil : value
    }

    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "localhost" }
    }
}
