import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// Whatever comes in on the port: an error or a close as `Protocol/README.md` has it, and nobody else notices.
    @Suite("Hostile input on the port")
    struct HostilePort {
        private let stage: Stage
        private let host: Host
        /// A good remote beside the bad ones.
        private let good: RawClient
        private let descriptors: Int

        init() throws {
            stage = try Stage()
            host = try stage.host(try Film.standard().arguments)
            good = try RawClient(host, as: "Good")
            descriptors = host.openDescriptors
        }

        /// The good remote is answered soon, and what it wants is done.
        ///
        /// The limit leaves room for a debug build on a busy machine, and more for a sanitized one.
        private func expectServed(_ id: Int, seconds limit: Double = 0.25) throws {
            let mark = good.log.count
            let asked = MonotonicClock.now()
            let reply = try good.command(#""kind":"seek","time":\#(id)"#, id: id)
            // When it came, not when this test got round to reading it.
            let came = good.log.first(after: mark) { $0.text.contains(#""re":\#(id),"#) ? $0.at : nil }
            let took = (try #require(came)) - asked
            #expect(reply["payload"]["currentTime"].number == Double(id))
            #expect(took < limit * Sanitizer.patience, "the good remote waited \(took) s")
        }

        /// The host lives, and has closed what it opened for others.
        private func expectClean(_ id: Int) throws {
            try expectServed(id)
            let end = MonotonicClock.now() + 5
            while host.openDescriptors > descriptors, MonotonicClock.now() < end { usleep(10_000) }
            #expect(host.openDescriptors == descriptors)
            #expect(host.running.child.isRunning)
            #expect(host.running.errors.text.isEmpty)
        }

        struct Line: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var bytes: [UInt8]
            var code: String
            var isClosed: Bool

            init(_ name: String, _ text: String, _ code: String, isClosed: Bool = false) {
                self.init(name, Array(text.utf8), code, isClosed: isClosed)
            }

            init(_ name: String, _ bytes: [UInt8], _ code: String, isClosed: Bool = false) {
                testDescription = name
                self.bytes = bytes
                self.code = code
                self.isClosed = isClosed
            }
        }

        private static let long = #"{"kind":"ping","payload":{"x":""#

        @Test(
            "a line that is wrong is answered by its error",
            arguments: [
                Line("a web browser", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "malformed", isClosed: true),
                Line("a TLS greeting", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00], "malformed", isClosed: true),
                Line("binary", [UInt8](0...255) + [0x0A], "malformed", isClosed: true),
                Line("an empty object", "{}\n", "malformed"),
                Line("half an object", "{\"kind\":\"ping\"\n", "malformed"),
                Line(
                    "no UTF-8",
                    Array("{\"kind\":\"ping\",\"payload\":{\"x\":\"".utf8) + [0xFF, 0xFE] + Array("\"}}\n".utf8),
                    "malformed"),
                Line("nested too deep", "{\"kind\":" + String(repeating: "[", count: 60_000) + "\n", "malformed"),
                Line("unknown kind", "{\"kind\":\"hologram\"}\n", "unknownKind"),
                Line("unknown command", "{\"kind\":\"command\",\"payload\":{\"kind\":\"rewind\"}}\n", "unknownCommand"),
                Line(
                    "not a number", "{\"kind\":\"command\",\"payload\":{\"kind\":\"seek\",\"time\":1e999}}\n",
                    "malformed"),
                Line(
                    "a volume of 40", "{\"kind\":\"command\",\"payload\":{\"kind\":\"setVolume\",\"volume\":40}}\n",
                    "invalidArgument"),
                Line(
                    "another protocol", "{\"kind\":\"hello\",\"payload\":{\"protocol\":9,\"remote\":{\"id\":\"x\"}}}\n",
                    "unsupportedProtocol", isClosed: true),
                Line(
                    "a line a byte too long",
                    long + String(repeating: "x", count: 65_536 - long.utf8.count - 3) + "\"}}\n",
                    "frameTooLarge", isClosed: true),
                Line(
                    "a line without end", "{" + String(repeating: "x", count: 1_000_000), "frameTooLarge",
                    isClosed: true),
            ])
        func wrongLine(line: Line) throws {
            let client = try RawClient(host, as: nil)
            client.send(bytes: line.bytes)
            let error = try client.message("error")
            #expect(error["payload"]["code"].text == line.code)
            #expect(error["payload"]["message"].text?.isEmpty == false)
            if line.isClosed {
                #expect(client.log.waitForEnd(within: 3), "it is not closed")
            } else {
                client.send(#"{"kind":"ping","id":77}"#)
                #expect(try client.reply(to: 77)["kind"].text == "pong")
            }
            client.hangUp()
            try expectClean(5)
        }

        @Test("the longest line there may be is read")
        func longestLine() throws {
            let client = try RawClient(host, as: nil)
            let start = #"{"kind":"ping","id":5,"padding":""#
            let line = start + String(repeating: "x", count: 65_535 - start.utf8.count - 2) + "\"}"
            #expect(line.utf8.count == 65_535)
            client.send(line)
            #expect(try client.reply(to: 5)["kind"].text == "pong")
        }

        @Test("a ping whose pong would be too long is refused")
        func longestPong() throws {
            let client = try RawClient(host, as: nil)
            client.send(Self.long + String(repeating: "x", count: 65_535 - Self.long.utf8.count - 3) + "\"}}")
            #expect(try client.message("error")["payload"]["code"].text == "invalidArgument")
        }

        @Test("a hundred faults in a row close the connection, ninety-nine do not")
        func faultsInARow() throws {
            let client = try RawClient(host)
            for _ in 0..<99 { client.send("{}") }
            client.send(#"{"kind":"ping","id":1}"#)
            #expect(try client.reply(to: 1)["kind"].text == "pong")
            for _ in 0..<100 { client.send("{}") }
            #expect(client.log.waitForEnd(within: 3))
            try expectClean(6)
        }

        @Test(
            "a line that comes byte by byte is read; one that never ends is timed out, be it the first or a later one")
        func slowly() throws {
            let patient = try RawClient(host, as: nil)
            for byte in Array("{\"kind\":\"command\",\"id\":5,\"payload\":{\"kind\":\"seek\",\"time\":9}}\n".utf8) {
                patient.send(bytes: [byte])
                usleep(2_000)
            }
            #expect(try patient.reply(to: 5)["payload"]["currentTime"].number == 9)

            // Slow-loris: many that never come to the end of their first line, or of their second.
            let loris = try (0..<20).map { try RawClient(host, as: $0 % 2 == 0 ? nil : "Slow \($0)") }
            let started = MonotonicClock.now()
            while MonotonicClock.now() - started < 14, loris.contains(where: { !$0.log.isEnded }) {
                for client in loris { client.send(bytes: [0x20]) }
                try expectServed(Int((MonotonicClock.now() - started) * 5) + 10)
                usleep(200_000)
            }
            let took = MonotonicClock.now() - started
            print("slow connections closed after \(took) s")
            #expect(loris.allSatisfy { $0.log.isEnded })
            #expect(took > 9 && took < 13)
            for client in loris { #expect(try client.message("goodbye")["payload"]["reason"].text == "timeout") }
            patient.hangUp()
            try expectClean(7)
        }

        @Test("half a line and gone, half closed, reset: nothing stays")
        func gone() throws {
            for place in 0..<300 {
                let descriptor = try RawClient.connect(port: host.port)
                FakePeer.say(#"{"kind":"command","id":1,"payload":{"kind":"sk"#, on: descriptor)
                if place % 3 == 0 {
                    var hard = linger(l_onoff: 1, l_linger: 0)
                    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
                } else if place % 3 == 1 {
                    shutdown(descriptor, Int32(SHUT_WR))
                }
                close(descriptor)
                if place % 50 == 0 { try expectServed(20 + place / 50) }
            }
            try expectClean(8)
        }

        @Test("a remote beyond the 64th is told that the house is full, and the good remote is served all along")
        func manyConnections() throws {
            // The good one is the first.
            let inside = try (2...64).map { try RawClient(host, as: "Remote \($0)") }
            let refused = try (0..<30).map { _ in try RawClient(host, as: nil) }
            for client in refused {
                #expect(try client.message("error")["payload"]["code"].text == "tooManyRequests")
                #expect(try client.message("goodbye")["payload"]["reason"].text == "full")
                #expect(client.log.waitForEnd(within: 3))
            }
            try expectServed(40)
            #expect(inside.allSatisfy { !$0.log.isEnded })
            inside[0].hangUp()
            let end = MonotonicClock.now() + 5
            while try stage.remote("status", at: host).code != 0 { #expect(MonotonicClock.now() < end) }
            for client in inside + refused { client.hangUp() }
            try expectClean(10)
        }

        @Test("a remote that does not read is dropped, and no other waits for it")
        func deafRemote() throws {
            let deaf = try RawClient.connect(port: host.port)
            defer { close(deaf) }
            var size: Int32 = 4_096
            setsockopt(deaf, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            let ping = #"{"kind":"ping","id":1,"payload":{"x":"\#(String(repeating: "x", count: 30_000))"}}"# + "\n"
            let bytes = Array(ping.utf8)
            let started = MonotonicClock.now()
            var isOpen = true
            var sent = 0
            while isOpen, MonotonicClock.now() - started < 10 {
                let count = send(deaf, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                if count > 0 { sent += count }
                if count < 0 && errno != EAGAIN { isOpen = false }
                if count < 0 && errno == EAGAIN {
                    usleep(2_000)
                    if host.openDescriptors <= descriptors { isOpen = false }
                }
                if sent % 10 == 0 { try expectServed(11) }
            }
            print("a deaf remote was dropped after \(sent) bytes")
            try expectClean(12)
        }

        @Test("more commands than may be are refused, and counted again with time")
        func flood() throws {
            let client = try RawClient(host)
            let mark = client.log.count
            // A slower host takes longer, in which it forgives more, so it is sent more.
            let count = 1_600 * Int(Sanitizer.patience)
            var lines = ""
            for id in 1...count { lines += "{\"kind\":\"command\",\"id\":\(id),\"payload\":{\"kind\":\"pause\"}}\n" }
            let began = MonotonicClock.now()
            client.send(bytes: Array(lines.utf8))
            _ = try client.reply(to: count, within: 20)
            let took = MonotonicClock.now() - began
            let replies = client.log.lines.dropFirst(mark).compactMap { try? JSON($0.text) }.filter {
                $0["re"] != .null
            }
            #expect(replies.count == count)
            let refused = replies.filter { $0["payload"]["code"].text == "tooManyRequests" }
            print("of \(count) commands at once \(refused.count) were refused, in \(took) s")
            // 1 000 at once and 500 a second are taken.
            #expect(refused.count > 0 && refused.count <= count - 1_000)
            #expect(refused.count >= count - 1_000 - Int((500 * took).rounded(.up)))
            try expectServed(13)
            usleep(100_000)
            #expect(try client.command(#""kind":"pause""#, id: count + 1)["kind"].text == "snapshot")
            client.hangUp()
            try expectClean(14)
        }
    }
}
