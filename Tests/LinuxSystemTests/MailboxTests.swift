import Foundation
import LinuxSystem
import Testing

@Suite("Mailbox")
struct MailboxTests {
    /// Whether the loop's poll would wake, at once or within `milliseconds`.
    private static func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) == 1
    }

    @Test("its descriptor is readable exactly while a message waits")
    func readable() {
        let mailbox = Mailbox<Int>()
        #expect(!Self.isReadable(mailbox.descriptor))
        mailbox.post(1)
        mailbox.post(2)
        #expect(Self.isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == [1, 2])
        #expect(!Self.isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == [])
        mailbox.post(3)
        #expect(Self.isReadable(mailbox.descriptor))
        #expect(mailbox.drain() == [3])
    }

    @Test("each has a descriptor of its own, which a child process does not inherit")
    func descriptor() {
        let (one, other) = (Mailbox<Int>(), Mailbox<Int>())
        #expect(one.descriptor != other.descriptor)
        #expect(fcntl(one.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("once closed it holds nothing and takes nothing")
    func closed() {
        let mailbox = Mailbox<Int>()
        mailbox.post(1)
        mailbox.close()
        mailbox.post(2)
        #expect(mailbox.drain() == [])
        #expect(!Self.isReadable(mailbox.descriptor))
    }

    @Test("letting go of it closes the descriptor")
    func released() async {
        // In a process of its own, where no other test takes the number at once.
        await #expect(processExitsWith: .success) {
            var mailbox: Mailbox<Int>? = Mailbox()
            let descriptor = try #require(mailbox?.descriptor)
            #expect(fcntl(descriptor, F_GETFD) >= 0)
            mailbox = nil
            #expect(fcntl(descriptor, F_GETFD) == -1)
        }
    }

    @Test(
        "of many threads that post, each one's messages arrive once and in order, and none is slept through",
        .timeLimit(.minutes(1)))
    func manyThreads() {
        let (senders, count) = (4, 5_000)
        let mailbox = Mailbox<(sender: Int, number: Int)>()
        for sender in 0..<senders {
            Thread.detachNewThread { for number in 0..<count { mailbox.post((sender, number)) } }
        }
        var next = [Int](repeating: 0, count: senders)
        var received = 0
        while received < senders * count {
            guard Self.isReadable(mailbox.descriptor, within: 30_000) else {
                return #expect(Bool(false), "asleep with \(senders * count - received) messages missing")
            }
            for message in mailbox.drain() {
                #expect(message.number == next[message.sender])
                next[message.sender] += 1
                received += 1
            }
        }
        #expect(next == [Int](repeating: count, count: senders))
        #expect(mailbox.drain().isEmpty)
    }
}
