import Foundation
import TestKit

/// A TCP proxy that puts one text for another in what the host says, line by line: a host that is broken on purpose.
final class ChangingProxy {
    let port: Int
    private let peer: FakePeer

    init(to host: Int, _ from: String, _ to: String) throws {
        peer = try FakePeer { remote in
            guard let host = try? RawClient.connect(port: host) else { return }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.pass(host, to: remote, from, to)
                done.signal()
            }
            relay(from: remote, to: host)
            done.wait()
            close(host)
        }
        port = peer.port
    }

    private static func pass(_ source: Int32, to target: Int32, _ from: String, _ to: String) {
        var rest = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count <= 0 { break }
            rest += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = rest.lastIndex(of: "\n") else { continue }
            let whole = rest[...end].replacingOccurrences(of: from, with: to)
            rest = String(rest[rest.index(after: end)...])
            FakePeer.say(whole, on: target)
        }
        shutdown(target, Int32(SHUT_WR))
    }
}
