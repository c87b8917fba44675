import Foundation

enum TemporaryFolder {
    /// A folder of this process's own; those of processes that are gone are removed, for a test run may be killed.
    static func make(_ name: String) -> URL {
        let parent = FileManager.default.temporaryDirectory
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
            guard entry.hasPrefix(name + "-"), let owner = pid_t(entry.dropFirst(name.count + 1)) else { continue }
            if kill(owner, 0) != 0 && errno == ESRCH {
                try? FileManager.default.removeItem(at: parent.appending(path: entry))
            }
        }
        let folder = parent.appending(path: "\(name)-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
