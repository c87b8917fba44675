import Foundation
import LinuxSystem
import TestKit
import WireProtocol

extension RawClient {
    /// Connects to `host`, introduced as `name` unless that is `nil`.
    convenience init(_ host: Host, as name: String? = "Raw") throws {
        try self.init(port: host.port)
        _ = try message("hello")
        guard let name else { return }
        send(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"raw-\#(name)","name":"\#(name)"}}}"#)
        _ = try message("snapshot")
    }

    /// Sends a command such as `"kind":"skip","seconds":5`, and gives the reply.
    @discardableResult
    func command(_ payload: String, id: Int) throws -> JSON {
        let mark = log.count
        send(#"{"kind":"command","id":\#(id),"payload":{\#(payload)}}"#)
        return try reply(to: id, after: mark)
    }
}

extension JSON {
    /// The moment, on this process's clock, of a message's `serverDate`; for a host on this machine.
    func serverTime() throws -> SteadyTime {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let text = self["serverDate"].text, let date = try? format.parse(text) else {
            throw TestFailure("no date: \(self)")
        }
        // Both clocks are read as one.
        let (now, wall) = (MonotonicClock.now(), Date())
        return now + date.timeIntervalSince(wall)
    }
}
