internal import CLinux
internal import Glibc

/// Carries messages from any thread to the loop that watches `descriptor`.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isOpen = true
    }

    private let state = Guarded(State())
    private let event: FileDescriptor

    package init() {
        let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(raw >= 0, "no descriptor is left for an eventfd")
        event = FileDescriptor(owning: raw)
    }

    /// Becomes readable when a message waits.
    package var descriptor: Int32 { event.raw }

    package func post(_ message: Message) {
        let isFirst = state.withLock { state in
            guard state.isOpen else { return false }
            state.messages.append(message)
            return state.messages.count == 1
        }
        if isFirst { eventfd_write(event.raw, 1) }
    }

    /// All messages that wait, oldest first.
    package func drain() -> [Message] {
        var count: eventfd_t = 0
        eventfd_read(event.raw, &count)
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Drops what waits and whatever comes.
    package func close() {
        state.withLock { $0 = State(messages: [], isOpen: false) }
    }
}
