import Foundation
import TestKit

/// The sound server that this process's engines play on: one at a time, always at the same address.
enum EngineServer {
    private static let folder = Result { try TemporaryFolder("pulse") }

    /// Points this process to the address, whether a server is there or not.
    static func useAddress() throws {
        setenv("PULSE_SERVER", PulseServer.address(in: try folder.get()), 1)
    }

    static func start() throws -> PulseServer {
        try useAddress()
        return try PulseServer(in: try folder.get())
    }
}

/// The number of the stream that stands in for the film, in what `pactl list sink-inputs` prints.
///
/// PipeWire gives numbers out again, so it need not be the first.
func movableStream(in list: String) -> String? {
    list.components(separatedBy: "Sink Input #").first { $0.contains("Film: move this to another device") }?
        .prefix { $0.isNumber }.description
}
