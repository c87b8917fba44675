internal import LinuxSystem
internal import TerminalUI
internal import Transport

/// Turns what was typed into a place to connect to, without making the screen wait for a name server.
///
/// Confined to its loop.
final class AddressLookup {
    private let loop: EventLoop
    private let mailbox = Mailbox<(number: Int, result: Result<HostFinder.Wanted, Failure>)>()
    private var watch: EventLoop.Watch?
    /// Only the newest counts.
    private var number = 0

    /// - Throws: `SystemError` when the system has no descriptor left.
    init(
        loop: EventLoop, _ onFound: @escaping (Result<HostFinder.Wanted, Failure>) -> Void
    ) throws(SystemError) {
        self.loop = loop
        watch = try loop.watch(mailbox.descriptor) { [weak self] _ in
            guard let self else { return }
            for answer in mailbox.drain() where answer.number == number { onFound(answer.result) }
        }
    }

    deinit {
        if let watch { loop.unwatch(watch, of: mailbox.descriptor) }
        mailbox.close()
    }

    /// Begins to look `text` up, in place of what was looked up before.
    /// - Throws: `SystemError` when the system has no thread left.
    func find(_ text: String) throws(SystemError) {
        number += 1
        let (number, mailbox) = (number, mailbox)
        // It ends when the resolver gives up, some ten seconds later; whoever asks has gone on by then.
        try WorkerThread("address") {
            do throws(Failure) {
                mailbox.post((number, .success(try HostFinder.Wanted(text))))
            } catch {
                mailbox.post((number, .failure(error)))
            }
        }.detach()
    }
}
