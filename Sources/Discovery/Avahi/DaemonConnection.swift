/// Keeps a client to the Avahi daemon through its absence, start and restart.
// Unchecked: touched on the loop's thread only.
final class DaemonConnection: @unchecked Sendable {
    enum Change {
        case running(Client)
        case settling(Client)
        /// Whatever was made from the last client is to be dropped now.
        case lost(reason: String)
    }

    /// Milliseconds between tries where no client can be made at all, which is without a D-Bus system bus.
    ///
    /// Doubled with each, from half a second to half a minute: a bus that comes late is rare and never urgent.
    private static let firstRetry: UInt32 = 500
    private static let longestRetry: UInt32 = 30_000

    private let loop: EventLoop
    private let onChange: (Change) -> Void
    private var client: Client?
    private var retry: LoopTimer?
    private var delay = DaemonConnection.firstRetry

    init(on loop: EventLoop, onChange: @escaping (Change) -> Void) {
        self.loop = loop
        self.onChange = onChange
    }

    /// Connects, and again after every loss.
    func open() {
        retry = nil
        let attempt = Attempt()
        do throws(AvahiError) {
            client = try Client(on: loop) { [weak self] state in self?.changed(state, in: attempt) }
            current = attempt
        } catch {
            onChange(.lost(reason: error.reason))
            scheduleRetry()
        }
    }

    func close() {
        retry = nil
        current = nil
        client = nil
    }

    /// Tells late news of a dropped client from those of the present one.
    private final class Attempt: Sendable {}
    private var current: Attempt?

    private func changed(_ state: Client.State, in attempt: Attempt) {
        guard attempt === current, let client else { return }
        switch state {
        case .running:
            delay = Self.firstRetry
            onChange(.running(client))
        case .settling:
            onChange(.settling(client))
        case .waiting:
            onChange(.lost(reason: AvahiError.noDaemon.reason))
        case .failed(let error):
            onChange(.lost(reason: error.reason))
            close()
            scheduleRetry()
        }
    }

    private func scheduleRetry() {
        retry = LoopTimer(on: loop, afterMilliseconds: delay) { [weak self] in self?.open() }
        delay = min(delay * 2, Self.longestRetry)
    }
}
