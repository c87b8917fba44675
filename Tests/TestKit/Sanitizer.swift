import Foundation

/// What `Tests/run --sanitize` tells the tests through the environment.
package enum Sanitizer {
    /// Whether the programs and the tests were built with one (ALLSPEAK_TEST_SANITIZER).
    package static let isOn = ProcessInfo.processInfo.environment["ALLSPEAK_TEST_SANITIZER"] != nil

    /// By how much longer something that has to happen is waited for (ALLSPEAK_TEST_PATIENCE), 1 without a sanitizer.
    ///
    /// It lengthens waiting only: how soon something has to happen is no looser.
    package static let patience =
        ProcessInfo.processInfo.environment["ALLSPEAK_TEST_PATIENCE"].flatMap(Double.init).map { max(1, $0) } ?? 1
}
