import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

extension EndToEnd {
    /// Peers that mean harm or have bad luck, in numbers; `Tests/Benchmarks/hostile` measures the same at length.
    ///
    /// Whatever they do: a remote that behaves gets each reply soon, a new one gets in, and nothing of them is left.
    @Suite("Attacks on the port")
    struct Attacks {
        /// Seconds for 95 of 100 replies, for each, and for a new remote: room for a debug build on a machine that is busy
        /// with other things, and for one that a sanitizer makes ten times slower.
        ///
        /// The benchmark shows some tenths of a millisecond.
        private static let patience =
            Sanitizer.isOn ? (most: 2.5, each: 10.0, newcomer: 10.0) : (most: 0.25, each: 1.0, newcomer: 1.0)
        private static let hello = #"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"x","name":"X"}}}"# + "\n"
        private static let pause = #"{"kind":"command","id":1,"payload":{"kind":"pause"}}"# + "\n"
        private static let pong = #"{"kind":"pong"}"# + "\n"
        private static let ping = #"{"kind":"ping","id":1}"# + "\n"

        private let stage: Stage
        private let host: Host

        init() throws {
            stage = try Stage()
            host = try stage.host(try Film.standard().arguments)
        }

        /// Lets `attack` happen beside a remote that behaves, has a new one come in the midst of it, and looks at what is left.
        private func survives(
            _ name: String, memory: Int = 4 << 20, _ attack: (_ knock: () throws -> Void) throws -> Void
        ) throws {
            // What the first remotes of a process cost once is not the attack's.
            #expect(try stage.remote("status", at: host).code == 0)
            let (descriptors, threads) = (host.openDescriptors, host.threads)
            let resident = host.residentBytes
            let bystander = try Bystander(host)
            var knocked = 0
            try attack {
                let started = MonotonicClock.now()
                let remote = try RawClient(host, as: "New")
                try remote.command(#""kind":"pause""#, id: 1)
                let took = MonotonicClock.now() - started
                #expect(took < Self.patience.newcomer, "\(name): a new remote waited \(took) s")
                remote.hangUp()
                knocked += 1
            }
            #expect(knocked > 0)
            let waits = try bystander.waits()
            let worst = waits.last ?? 9
            print(
                "\(name): \(waits.count) replies, half within \(waits[waits.count / 2]) s, the worst within \(worst) s")
            #expect(waits.count > 5)
            #expect(waits[waits.count * 95 / 100] < Self.patience.most, "\(name)")
            #expect(worst < Self.patience.each, "\(name)")
            // What an attacker's system has taken from it is delivered all the same, and a debug build reads slowly.
            let end = MonotonicClock.now() + 20
            while host.openDescriptors > descriptors, MonotonicClock.now() < end { usleep(10_000) }
            #expect(host.openDescriptors <= descriptors, "\(name)")
            #expect(host.threads == threads, "\(name)")
            // The address sanitizer keeps what has been freed, to find who uses it all the same.
            if !Sanitizer.isOn { #expect(host.residentBytes - resident < memory, "\(name)") }
            #expect(host.running.child.isRunning)
            #expect(host.running.errors.text.isEmpty)
        }

        @Test("5 000 connections that say nothing, all held open")
        func silent() throws {
            try survives("silent") { knock in
                var held: [Int32] = []
                defer { for descriptor in held { close(descriptor) } }
                for place in 0..<5_000 {
                    held.append(try RawClient.connect(port: host.port))
                    if place % 1_000 == 999 { try knock() }
                }
                // Places, silent ones and those being closed, and what the host itself needs.
                #expect(host.openDescriptors < 64 + 256 + 64 + 40)
                #expect(try stage.remote("status", at: host).code == 0)
            }
        }

        @Test("port scans and other protocols: connect and close, TLS, HTTP, SSH, noise")
        func scans() throws {
            let words: [[UInt8]] = [
                [], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC],
                Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
                Array("POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\n{\"kind\":1}".utf8), Array("SSH-2.0-x\r\n".utf8),
                (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) },
            ]
            try survives("scans") { knock in
                for round in 0..<2_000 {
                    let descriptor = try RawClient.connect(port: host.port)
                    let word = words[round % words.count]
                    _ = send(descriptor, word, word.count, Int32(MSG_NOSIGNAL))
                    close(descriptor)
                    if round % 500 == 499 { try knock() }
                }
            }
        }

        struct Noise: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var connections: Int
            var chunk: String
            var reads = true
        }

        @Test(
            "connections that send without pause",
            arguments: [
                Noise(
                    testDescription: "faulty frames, a good one between", connections: 8,
                    chunk: String(repeating: String(repeating: "{\"kind\":1}\n", count: 20) + pong, count: 100)),
                Noise(
                    testDescription: "nothing but faulty frames", connections: 8,
                    chunk: String(repeating: "{}\n", count: 500)),
                Noise(
                    testDescription: "pipelined commands", connections: 8, chunk: String(repeating: pause, count: 500)),
                Noise(testDescription: "hellos", connections: 8, chunk: String(repeating: hello, count: 500)),
                Noise(testDescription: "pings", connections: 8, chunk: String(repeating: ping, count: 1_000)),
                Noise(
                    testDescription: "the longest frames", connections: 8,
                    chunk: #"{"kind":"pong","payload":["# + String(repeating: "[1.5e-7],", count: 7_000) + "0]}\n"),
                Noise(
                    testDescription: "commands whose replies are not read", connections: 8,
                    chunk: String(repeating: pause, count: 500), reads: false),
            ])
        func noise(noise: Noise) throws {
            try survives(noise.testDescription, memory: 16 << 20) { knock in
                let chunk = Array(noise.chunk.utf8)
                var taken = 0
                for _ in 0..<3 {
                    taken += try Flood.run(
                        port: host.port, connections: noise.connections, seconds: 0.4, reads: noise.reads,
                        receiveBuffer: noise.reads ? nil : 4_096, first: Self.hello, chunk: chunk)
                    try knock()
                }
                #expect(taken > 100_000, "the host was under pressure")
            }
        }

        @Test("remotes that never read, while the film is moved a thousand times")
        func deaf() throws {
            try survives("deaf", memory: 8 << 20) { knock in
                let deaf = try (0..<30).map { _ in try RawClient.connect(port: host.port, receiveBuffer: 4_096) }
                defer { for descriptor in deaf { close(descriptor) } }
                for descriptor in deaf { FakePeer.say(Self.hello, on: descriptor) }
                let driver = try RawClient(host, as: "Driver")
                for id in 1...1_000 {
                    try driver.command(#""kind":"seek","time":\#(id % 100)"#, id: id)
                    if id % 250 == 0 { try knock() }
                }
                driver.hangUp()
            }
        }

        @Test("500 remotes that vanish, half of them by a reset while they are written to")
        func abandoned() throws {
            try survives("abandoned") { knock in
                for place in 0..<500 {
                    let descriptor = try RawClient.connect(port: host.port)
                    FakePeer.say(Self.hello + Self.ping + #"{"kind":"comm"#, on: descriptor)
                    var hard = linger(l_onoff: 1, l_linger: 0)
                    if place % 2 == 0 {
                        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
                    }
                    close(descriptor)
                    if place % 100 == 99 { try knock() }
                }
            }
        }

        @Test("a remote that is stopped costs nobody anything, and shows the newest state when it goes on")
        func stopped() throws {
            let watch = try stage.watch(at: host)
            try watch.connected()
            try survives("stopped", memory: 8 << 20) { knock in
                watch.running.child.signal(SIGSTOP)
                let driver = try RawClient(host, as: "Driver")
                for id in 1...400 {
                    try driver.command(#""kind":"seek","time":\#(id % 100)"#, id: id)
                    usleep(4_000)
                }
                try driver.command(#""kind":"seek","time":77"#, id: 1_000)
                try knock()
                driver.hangUp()
            }
            let mark = watch.mark
            watch.running.child.signal(SIGCONT)
            try watch.first("the newest position", after: mark) { $0["currentTime"].number == 77 }
        }
    }
}
