import Foundation
internal import LinuxSystem

/// The bare end of a TCP connection to this machine, so that it can misbehave as no remote of ours would.
package final class RawClient {
    private let descriptor: Int32
    package let log: LineLog

    /// Connects to 127.0.0.1.
    package init(port: Int) throws {
        descriptor = try Self.connect(port: port)
        // The log closes its own.
        log = LineLog(reading: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
    }

    deinit {
        hangUp()
        close(descriptor)
    }

    /// A connected descriptor, which the caller closes.
    ///
    /// A small `receiveBuffer`, in bytes, soon keeps the other side waiting when nothing is read.
    package static func connect(port: Int, receiveBuffer: Int32? = nil) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TestFailure("no socket: \(String(cString: strerror(errno)))") }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let code = withLoopback(port: port) { Foundation.connect(descriptor, $0, $1) }
        guard code == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw TestFailure("nothing takes a connection on port \(port): \(reason)")
        }
        return descriptor
    }

    static func withLoopback<Result>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Sends bytes as they are; false once the other side takes no more.
    @discardableResult
    package func send(bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends `text` and a line end.
    @discardableResult
    package func send(_ text: String) -> Bool { send(bytes: Array((text + "\n").utf8)) }

    /// Ends the connection both ways.
    package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends no more, and reads on.
    package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What the other side says from `mark` on that `pick` accepts, waited for up to `seconds`.
    package func first<Result>(
        after mark: Int = 0, within seconds: Double = 5, _ pick: (JSON) -> Result?
    ) -> Result? {
        log.first(after: mark, within: seconds) { line in (try? JSON(line.text)).flatMap(pick) }
    }

    /// The first message of that kind.
    package func message(_ kind: String, after mark: Int = 0, within seconds: Double = 5) throws -> JSON {
        guard let found = first(after: mark, within: seconds, { $0["kind"].text == kind ? $0 : nil }) else {
            throw TestFailure("no \(kind) came; what came:\n\(log.text.prefix(2_000))")
        }
        return found
    }

    /// The reply to the question with that id, looked for from `mark` on.
    package func reply(to id: Int, after mark: Int = 0, within seconds: Double = 5) throws -> JSON {
        guard let found = first(after: mark, within: seconds, { $0["re"].number == Double(id) ? $0 : nil }) else {
            throw TestFailure("no reply to \(id) came; what came:\n\(log.text.suffix(2_000))")
        }
        return found
    }
}

/// A port of this machine on which something answers as the test wants it, once per connection, on a thread of its own.
package final class FakePeer {
    package let port: Int
    private let descriptor: Int32

    /// Has `serve` talk on each connected descriptor, which is closed afterwards; on any free port, unless it is named.
    package init(port wanted: Int = 0, _ serve: @escaping @Sendable (Int32) -> Void) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // What an earlier owner's connections leave behind for a while is in nobody's way.
        var isShared: Int32 = 1
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        guard listening >= 0, RawClient.withLoopback(port: wanted, { bind(listening, $0, $1) }) == 0,
            listen(listening, 16) == 0
        else { throw TestFailure("no port to listen on: \(String(cString: strerror(errno)))") }
        descriptor = listening
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listening, $0, &length) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            while true {
                let connection = accept(listening, nil, nil)
                if connection < 0 { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread {
                    serve(connection)
                    // A child that another test starts at this moment may hold a copy.
                    shutdown(connection, Int32(SHUT_RDWR))
                    close(connection)
                }
            }
            close(listening)
        }
    }

    deinit {
        // Wakes `accept`, whose thread closes it.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Sends `text` as it is.
    package static func say(_ text: String, on descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Reads until a line contains `word`; false if the other side leaves before.
    @discardableResult
    package static func wait(for word: String, on descriptor: Int32) -> Bool {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !text.contains(word) {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return false }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return true
    }
}
