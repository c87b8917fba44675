package import Foundation

/// A folder of a test's own, removed when the test lets go of it.
///
/// It lies among the private services' files where these run: they remove it even if the tests crash.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(_ name: String = "test") throws {
        let root = ProcessInfo.processInfo.environment["ALLSPEAK_TEST_SERVICES"] ?? NSTemporaryDirectory()
        // Short: the path of a unix socket holds 107 bytes.
        path = (root as NSString).appendingPathComponent("\(name)-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of `name` in it.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Makes a folder in it and gives its path.
    package func folder(_ name: String) throws -> String {
        let path = self(name)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return path
    }

    /// Writes a file in it and gives its path.
    @discardableResult
    package func file(_ name: String, _ content: Data) throws -> String {
        try content.write(to: URL(fileURLWithPath: self(name)))
        return self(name)
    }

    @discardableResult
    package func file(_ name: String, _ content: String) throws -> String {
        try file(name, Data(content.utf8))
    }

    /// Everything below it, by relative path, sorted.
    package var contents: [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }
}
