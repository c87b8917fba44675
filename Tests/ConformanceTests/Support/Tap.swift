import Foundation
import LinuxSystem
import TestKit
import WireProtocol

/// A TCP proxy that keeps every line that passes, in both directions.
final class Tap: Sendable {
    struct Passed: Sendable {
        /// `host` or `remote`: who said it.
        var sender: String
        var line: String
    }

    private final class Book: Sendable {
        let passed = Guarded<[Passed]>([])
        /// Lines past the limit of the protocol.
        let oversize = Guarded(0)
    }

    private let book = Book()
    private let peer: Guarded<FakePeer>
    let port: Int

    init(to host: Int) throws {
        let peer = try FakePeer { [book] remote in
            guard let host = try? RawClient.connect(port: host) else { return }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.pass("host", from: host, to: remote, book)
                done.signal()
            }
            Self.pass("remote", from: remote, to: host, book)
            done.wait()
            close(host)
        }
        port = peer.port
        self.peer = Guarded(peer)
    }

    var passed: [Passed] { book.passed.withLock { $0 } }
    var oversize: Int { book.oversize.withLock { $0 } }

    private static func pass(_ sender: String, from source: Int32, to target: Int32, _ book: Book) {
        var framer = LineFramer()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            framer.append(buffer[..<count]) { frame in
                switch frame {
                case .line(let line):
                    let passed = Passed(sender: sender, line: String(decoding: line, as: UTF8.self))
                    book.passed.withLock { $0.append(passed) }
                case .tooLarge: book.oversize.withLock { $0 += 1 }
                }
            }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if written <= 0 { break }
                rest = rest.dropFirst(written)
            }
        }
        shutdown(target, Int32(SHUT_WR))
    }
}

/// Lines that several threads add to.
final class LockedLines: Sendable {
    private let state = Guarded<[String]>([])

    var lines: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
}

/// Passes bytes on until the source ends.
func relay(from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(source, &buffer, buffer.count)
        if count <= 0 { break }
        _ = buffer[..<count].withUnsafeBytes { send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
    shutdown(target, Int32(SHUT_WR))
}
