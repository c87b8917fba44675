internal import CPulse
internal import LinuxSystem
internal import WireProtocol

/// Whether there is a sound server to play through.
package enum PulseProbe {
    /// Connects and lets go again; takes some milliseconds where there is a server, at most `seconds` where one hangs.
    package static func isAvailable(within seconds: Double = 1) -> Bool {
        let loop = SoundLoop()
        var isReady = false
        let timer = loop.makeTimer { [unowned loop] in loop.stop() }
        timer.set(after: seconds)
        guard let connection = PulseConnection(loop: loop) else { return false }
        connection.onState = { [unowned loop] state in
            isReady = state == PA_CONTEXT_READY
            if isReady || state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { loop.stop() }
        }
        loop.run()
        return withExtendedLifetime(connection) { isReady }
    }
}
