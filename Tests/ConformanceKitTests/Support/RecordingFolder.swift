import Conformance
import Foundation

/// This project's recordings.
enum RecordingFolder {
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Protocol/recordings")

    /// The bytes of each file, by name.
    static let files: [String: [UInt8]] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.path)) ?? []
        var files: [String: [UInt8]] = [:]
        for name in names where name.hasSuffix(".jsonl") {
            files[name] = (try? Data(contentsOf: path.appendingPathComponent(name))).map(Array.init)
        }
        return files
    }()

    // Computed: what a first use on a pool's thread leaves in a constant looks lost to the leak sanitizer.
    static var all: [Recording] {
        files.keys.sorted().compactMap { name in files[name].flatMap { try? Recording(reading: $0) } }
    }

    static func named(_ names: [String]) -> [Recording] {
        all.filter { names.contains($0.name) }
    }
}

/// Runs recordings on virtual time and gives the checks.
func replayed(
    _ recordings: [Recording], hostHand: @escaping VirtualTrial.Hand = { [$0] }, remoteHand: VirtualTrial.Hand? = nil
) -> [Check] {
    var trial = VirtualTrial(recordings, hostHand: hostHand, remoteHand: remoteHand)
    var checks: [Check] = []
    trial.checks { checks.append($0) }
    return checks
}
