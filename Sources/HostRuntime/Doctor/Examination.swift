internal import AudioEngine
internal import Discovery
internal import LinuxSystem
internal import SessionLibrary
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// Looks at this machine, and leaves it as it was.
struct Examination {
    /// Seconds for the Avahi daemon, and for a host, to answer.
    private static let patience = 1.5

    private let loop: EventLoop

    /// - Throws: `SystemError` when the system has no descriptor left.
    init() throws(SystemError) {
        loop = try EventLoop()
    }

    func findings(folder: String) -> Findings {
        Findings(
            sound: PulseSurvey.take(), discovery: discovery(), folder: folder,
            folderRefusal: Self.refusal(ofWritingIn: folder), library: Self.library(in: folder),
            freeBytes: Files.freeBytes(at: Self.nearest(folder)), port: port(),
            missingDecoders: Decoders.missing(of: Diagnosis.decoders))
    }

    // MARK: Files

    /// The folder itself, or the lowest one above it that exists.
    private static func nearest(_ folder: String) -> String {
        var path = folder[...]
        while !path.isEmpty, !Files.exists(String(path)) {
            path = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        }
        return path.isEmpty ? "/" : String(path)
    }

    private static func refusal(ofWritingIn folder: String) -> String? {
        let path = nearest(folder)
        guard Files.isFolder(path) else { return "\(path) is a file" }
        return Files.refusal(ofReplacing: path + "/library.sqlite")
    }

    private static func library(in folder: String) -> Findings.Library {
        guard Files.exists(folder + "/library.sqlite") else { return .none }
        do throws(Failure) {
            let library = try OpenedSession.openLibrary(folder)
            return .readable(
                films: try OpenedSession.asFailure { () throws(LibraryError) in try library.list().count })
        } catch {
            return .unreadable(error)
        }
    }

    // MARK: Network

    private func discovery() -> Findings.Discovery {
        let mailbox = Mailbox<BrowsingReport>()
        let browser = Browser { mailbox.post($0) }
        defer {
            browser.stop()
            mailbox.close()
        }
        var found: Findings.Discovery?
        guard
            let watch = try? loop.watch(
                mailbox.descriptor,
                { _ in
                    switch mailbox.drain().last?.progress {
                    case .unavailable(let reason): found = .unavailable(reason: reason)
                    case .searching, .complete: found = .ready
                    case nil: break
                    }
                })
        else { return .silent }
        defer { loop.unwatch(watch, of: mailbox.descriptor) }
        _ = loop.run(until: MonotonicClock.now() + Self.patience) { found != nil }
        return found ?? .silent
    }

    private func port() -> Findings.Port {
        do throws(SystemError) {
            let listeners = try Listeners([], port: PlayOptions.defaultPort, loop: loop) { descriptor, _ in
                // A remote that comes at this very moment is to find nobody, as before.
                _ = FileDescriptor(owning: descriptor)
            }
            listeners.all.forEach { $0.stop() }
            return .free
        } catch {
            guard error.isAddressInUse else { return .refused(reason: error.reason) }
            return greeting().map { .host(name: $0) } ?? .taken
        }
    }

    /// The name of the host that says hello on the usual port; `nil` where no host does.
    private func greeting() -> String? {
        var framer = LineFramer()
        var name: String?
        var channel: Channel?
        var isOver = false
        let endpoints = ["127.0.0.1", "::1"].map { Endpoint(address: $0, port: PlayOptions.defaultPort) }
        let connector = Connector(to: endpoints, loop: loop) { result in
            guard case .success(let connected) = result else { return isOver = true }
            channel = connected
            connected.onEnd = { _ in isOver = true }
            connected.onBytes = { bytes in
                framer.append(bytes) { frame in
                    if case .line(let line) = frame, case .hello(let hello)? = (try? HostFrame(line: line))?.message {
                        name = hello.hostName
                    }
                    isOver = true
                }
            }
        }
        defer {
            connector.cancel()
            channel?.close()
        }
        _ = loop.run(until: MonotonicClock.now() + Self.patience) { isOver }
        return name
    }
}
