internal import Glibc
internal import LinuxSystem
internal import RemoteScreen
internal import Terminal
internal import TerminalUI
internal import Transport

/// `allspeak-remote` in a terminal: the remote for a person, until they leave it.
enum ScreenCommand {
    static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let wanted = try HostFinder.Wanted(invocation.value("--host"))
        let isPlain = invocation.switches.contains("--plain")
        let loop: EventLoop
        let signals: ScreenSignals
        do throws(SystemError) {
            loop = try EventLoop()
            // Before any thread exists, or that one would be killed by them.
            signals = try ScreenSignals(loop)
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
        let face = try Self.face(isPlain: isPlain, loop)
        // Whatever happens, the shell gets its terminal back.
        defer { face.close() }
        let finder = try OneShot.finder(wanted, loop)
        defer { finder.stop() }
        var options = RemoteScreen.Options()
        options.isDim = invocation.switches.contains("--dim")
        options.hasBell = invocation.switches.contains("--bell")
        let remembered = finder.mayBeAny ? RememberedHost.read() : nil
        options.rememberedHostID = remembered?.id
        options.address = finder.givenEndpoints == nil ? nil : invocation.value("--host")
        options.ownName = RemoteIdentity.ofThisUser().name
        do throws(SystemError) {
            let remote = try InteractiveRemote(
                loop: loop, face: face, finder: finder, options: options, remembered: remembered)
            signals.remote = remote
            remote.start()
            loop.run()
            remote.stop()
        } catch {
            throw Failure(.bug, "The terminal cannot be watched: \(error.sentence)")
        }
        return .success
    }

    private static func face(isPlain: Bool, _ loop: EventLoop) throws(Failure) -> any RemoteFace {
        do throws(TerminalError) {
            return isPlain ? PlainFace(try PlainTerminal()) : ScreenFace(try Terminal(), loop: loop)
        } catch {
            throw Failure(.unavailable, error.sentence)
        }
    }
}

/// What the system and the terminal tell by signals.
private final class ScreenSignals {
    weak var remote: InteractiveRemote?
    private var watches: [SignalWatch] = []

    /// - Throws: `SystemError` when the system has no descriptor left.
    init(_ loop: EventLoop) throws(SystemError) {
        watches = [
            try SignalWatch(SignalWatch.termination, loop: loop) { _ in loop.stop() },
            try SignalWatch([SIGWINCH, SIGTSTP, SIGCONT], loop: loop) { [weak self] signal in
                switch signal {
                case SIGWINCH: self?.remote?.resized()
                case SIGTSTP: self?.remote?.suspend()
                default: self?.remote?.continued()
                }
            },
        ]
    }
}
