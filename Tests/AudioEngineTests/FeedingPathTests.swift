// Under a sanitizer, which stands between a program and its memory itself, nothing can be counted: there this is left out
// (Tests/Support/sanitizer defines SANITIZED).
#if !SANITIZED
    import CallCounter
    import LinuxSystem
    import Testing

    @testable import AudioEngine

    @Suite("The path that feeds the device")
    struct FeedingPathTests {
        /// What this thread asks for while `work` runs.
        private func calls(_ work: () -> Void) -> (allocations: UInt, locks: UInt) {
            call_counter_begin()
            work()
            call_counter_end()
            return (call_counter_allocations(), call_counter_locks())
        }

        /// A feed that holds `count` frames from `start` on.
        private func feed(from start: Int64, count: Int) -> Feed {
            let feed = Feed(trackIndex: 0, start: start)
            feed.ring.append([Float](repeating: 0.5, count: count * 2), count: count)
            return feed
        }

        @Test("the counter sees an array being made, and a lock being taken")
        func counter() {
            #expect(calls { withExtendedLifetime([Float](repeating: 1, count: 1_000)) {} }.allocations > 0)
            let guarded = Guarded(1)
            _ = guarded.withLock { $0 }
            #expect(calls { guarded.withLock { $0 += 1 } }.locks == 1)
            #expect(calls {} == (0, 0))
        }

        @Test(
            "rendering asks for no memory and takes no lock: sounding, fading, silent, across a ring's seam, at its end"
        )
        func rendering() {
            var programme = Programme()
            programme.begin(with: .init(start: 0, film: 60_000, feed: feed(from: 60_000, count: 30_000), epoch: 1))
            for turn in 1...12 {
                let film = Int64(turn) * 100_000
                programme.splice(
                    .init(start: Int64(turn) * 2_000, film: film, feed: feed(from: film, count: 4_000), epoch: turn))
            }
            programme.splice(.init(start: 26_000, film: 1_300_000, feed: nil, epoch: 99))
            let output = UnsafeMutablePointer<Float>.allocate(capacity: 9_600 * 2)
            defer { output.deallocate() }
            var heard: Float = 0
            // Growing blocks, at places all over the stretches; without a Swift sequence, which would allocate itself.
            let asked = calls {
                var block = 1
                while block <= 9_600 {
                    var at: Int64 = 0
                    while at < 40_000 {
                        programme.render(from: at, count: block, into: output)
                        if output[0] > heard { heard = output[0] }
                        at += Int64(block) * 7
                    }
                    block *= 21
                }
            }
            #expect(asked == (0, 0))
            #expect(heard > 0.4)
        }

        @Test("neither does a device that asks for it")
        func device() {
            let loop = SoundLoop()
            let clock = ClockOutput(loop: loop)
            var programme = Programme()
            programme.begin(with: .init(start: 0, film: 0, feed: feed(from: 0, count: 40_000), epoch: 1))
            programme.splice(.init(start: 5_000, film: 700, feed: feed(from: 700, count: 40_000), epoch: 2))
            let asked = calls {
                clock.write(0..<20_000) { programme.render(from: $0, count: $1, into: $2) }
                clock.write(10_000..<30_000) { programme.render(from: $0, count: $1, into: $2) }
            }
            #expect(asked == (0, 0))
        }
    }
#endif
