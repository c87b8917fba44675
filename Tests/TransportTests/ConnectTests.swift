import Glibc
import LinuxSystem
import Testing
import Transport
import WireProtocol

@Suite("Listening and connecting")
struct ConnectTests {
    @Test("bytes go both ways, over IPv4 and IPv6", arguments: ["127.0.0.1", "::1"])
    func roundTrip(address: String) throws {
        let bench = try Bench()
        let listener = try bench.listener(at: address)
        #expect(listener.endpoint.port != 0)
        var served: [Channel] = []
        var peers: [Endpoint] = []
        listener.onConnection = { descriptor, peer in
            guard let channel = try? Channel(owning: descriptor, loop: bench.loop) else { return }
            var echo: [UInt8]?
            channel.onBytes = { [unowned channel] bytes in
                echo = Array(bytes.reversed())
                channel.flush()
            }
            channel.nextOutput = {
                defer { echo = nil }
                return echo
            }
            served.append(channel)
            peers.append(peer)
        }
        var client: Channel?
        var answer: [UInt8] = []
        let connector = Connector(to: [listener.endpoint], loop: bench.loop) { result in
            client = try? result.get()
            client?.onBytes = { answer += $0 }
            var question: [UInt8]? = [1, 2, 3]
            client?.nextOutput = {
                defer { question = nil }
                return question
            }
            client?.flush()
        }
        #expect(bench.run { answer.count == 3 })
        #expect(answer == [3, 2, 1])
        #expect(peers.map(\.address) == [address])
        #expect(peers.filter { !$0.isLoopback } == [])
        withExtendedLifetime((connector, served)) {}
    }

    @Test("addresses that refuse or make no sense are passed over")
    func nextAddress() throws {
        let bench = try Bench()
        let listener = try bench.listener()
        let addresses = [try bench.deafEndpoint(), Endpoint(address: "no-address", port: 1), listener.endpoint]
        var result: Result<Channel, SystemError>?
        let connector = Connector(to: addresses, loop: bench.loop) { result = $0 }
        #expect(bench.run { result != nil })
        #expect(throws: Never.self) { try result?.get() }
        withExtendedLifetime(connector) {}
    }

    @Test("an address that does not answer at all is given up after 2 s")
    func silentAddress() throws {
        let bench = try Bench()
        let listener = try bench.listener()
        // A full backlog leaves further connects unanswered, as a dropped packet does.
        let deaf = try retryingInterrupts("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { Glibc.close(deaf) }
        try retryingInterrupts("bind") {
            RawPeer.withAddress(Endpoint(address: "127.0.0.1", port: 0)) { bind(deaf, $0, $1) }
        }
        listen(deaf, 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(deaf, $0, &length) }
        }
        let endpoint = Endpoint(address: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
        let filler = try RawPeer(to: endpoint, loop: bench.loop)

        var result: Result<Channel, SystemError>?
        let start = MonotonicClock.now()
        let connector = Connector(to: [endpoint, listener.endpoint], loop: bench.loop) { result = $0 }
        #expect(bench.run { result != nil })
        #expect(throws: Never.self) { try result?.get() }
        #expect(MonotonicClock.now() - start >= Connector.secondsPerAddress)
        withExtendedLifetime((connector, filler)) {}
    }

    @Test("when all refuse, the last one's error is told with its address")
    func allRefuse() throws {
        let bench = try Bench()
        let addresses = [try bench.deafEndpoint(), try bench.deafEndpoint()]
        var results: [Result<Channel, SystemError>] = []
        let connector = Connector(to: addresses, loop: bench.loop) { results.append($0) }
        #expect(bench.run { !results.isEmpty })
        bench.turn(for: 0.05)
        #expect(results.count == 1)
        let expected = SystemError("connect", subject: addresses[1].text, errno: ECONNREFUSED)
        #expect(throws: expected) { try results[0].get() }
        withExtendedLifetime(connector) {}
    }

    @Test("without an address there is no route")
    func noAddress() throws {
        let bench = try Bench()
        var result: Result<Channel, SystemError>?
        let connector = Connector(to: [], loop: bench.loop) { result = $0 }
        #expect(bench.run { result != nil })
        #expect(throws: SystemError("connect", errno: EHOSTUNREACH)) { try result?.get() }
        withExtendedLifetime(connector) {}
    }

    @Test("a cancelled attempt has no result")
    func cancelled() throws {
        let bench = try Bench()
        let listener = try bench.listener()
        var results = 0
        let connector = Connector(to: [listener.endpoint], loop: bench.loop) { _ in results += 1 }
        connector.cancel()
        bench.turn(for: 0.05)
        #expect(results == 0)
    }

    @Test("a port in use and an address of another machine are told with the address")
    func cannotListen() throws {
        let bench = try Bench()
        let listener = try bench.listener()
        #expect(throws: SystemError("bind", subject: listener.endpoint.text, errno: EADDRINUSE)) {
            try Listener(listener.endpoint, loop: bench.loop)
        }
        #expect(throws: SystemError("bind", subject: "192.0.2.1:0", errno: EADDRNOTAVAIL)) {
            try bench.listener(at: "192.0.2.1")
        }
    }

    @Test("a stopped listener refuses")
    func stopped() throws {
        let bench = try Bench()
        let listener = try bench.listener()
        listener.stop()
        #expect(throws: SystemError("connect", errno: ECONNREFUSED)) {
            try RawPeer(to: listener.endpoint, loop: bench.loop)
        }
    }

    @Test("two hundred at once are all served")
    func many() throws {
        let bench = try Bench()
        let listener = try bench.listener()
        var served: [Channel] = []
        listener.onConnection = { descriptor, _ in
            guard let channel = try? Channel(owning: descriptor, loop: bench.loop) else { return }
            var echo: [UInt8]?
            channel.onBytes = { [unowned channel] bytes in
                echo = Array(bytes)
                channel.flush()
            }
            channel.nextOutput = {
                defer { echo = nil }
                return echo
            }
            served.append(channel)
        }
        let peers = try (0..<200).map { _ in try RawPeer(to: listener.endpoint, loop: bench.loop) }
        for (number, peer) in peers.enumerated() {
            peer.send([UInt8(number)])
            try peer.startReading()
        }
        #expect(bench.run { peers.allSatisfy { $0.received.count == 1 } })
        #expect(peers.enumerated().allSatisfy { $1.received == [UInt8($0)] })
        #expect(served.count == 200)
    }

    @Test("without descriptors the listener pauses instead of spinning, and goes on when there are some")
    func exhausted() async {
        // A limit is the whole process's, so a process of its own.
        await #expect(processExitsWith: .success) {
            let bench = try Bench()
            let listener = try bench.listener()
            var accepted: [Int32] = []
            listener.onConnection = { descriptor, _ in accepted.append(descriptor) }
            let peers = try (0..<6).map { _ in try RawPeer(to: listener.endpoint, loop: bench.loop) }
            // Inherited descriptors leave holes below the highest, as many as other tests have connections; with all
            // of them filled, the next number is the last but two.
            let highest = (0..<20_000).last { fcntl(Int32($0), F_GETFD) >= 0 } ?? 0
            while dup(0) < highest {}
            let next = dup(0)
            close(next)
            var limit = rlimit(rlim_cur: rlim_t(next + 2), rlim_max: rlim_t(next + 2))
            setrlimit(__rlimit_resource_t(7), &limit)
            let turns = bench.turn(for: 0.5)
            // Two, unless another thread of this process has closed one or opened one meanwhile.
            let fitting = accepted.count
            precondition((1...4).contains(fitting), "some fit, not \(fitting)")
            precondition(turns < 30, "\(turns) turns in half a second")
            close(accepted[0])
            precondition(bench.run { accepted.count == fitting + 1 }, "it goes on")
            // Where its owner can give one back, nobody waits.
            var oldest = 1
            listener.makeRoom = {
                defer { oldest += 1 }
                return oldest < accepted.count && close(accepted[oldest]) == 0
            }
            precondition(bench.run { accepted.count == 6 }, "each has had its turn")
            precondition(oldest == 6 - fitting, "as many were given back as were needed: \(oldest)")
            withExtendedLifetime(peers) {}
        }
    }

    @Test("an endpoint's text has brackets for IPv6, and knows loopback")
    func text() throws {
        #expect(Endpoint(address: "127.0.0.1", port: 1).text == "127.0.0.1:1")
        #expect(Endpoint(address: "fe80::1%eth0", port: 42_557).text == "[fe80::1%eth0]:42557")
        #expect(Endpoint(address: "127.8.8.8", port: 1).isLoopback)
        #expect(Endpoint(address: "::1", port: 1).isLoopback)
        #expect(!Endpoint(address: "192.168.0.1", port: 1).isLoopback)
        #expect(!Endpoint(address: "::2", port: 1).isLoopback)
        #expect(try Endpoint.resolve("127.0.0.1", port: 9) == [Endpoint(address: "127.0.0.1", port: 9)])
    }
}
