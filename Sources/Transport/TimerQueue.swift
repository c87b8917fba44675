internal import WireProtocol

/// What is to be done when, soonest first; of equal deadlines the one scheduled first.
///
/// A binary heap whose cancelled entries stay until they reach the top or outnumber the rest, so that scheduling and
/// cancelling stay cheap with a timer for each of thousands of connections.
struct TimerQueue {
    private struct Entry {
        var deadline: SteadyTime
        var id: UInt64

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? id < other.id : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    /// Of those that are neither done nor cancelled.
    private var bodies: [UInt64: () -> Void] = [:]

    /// How many are waiting.
    var count: Int { bodies.count }
    /// What is kept, cancelled entries included.
    var keptCount: Int { heap.count }

    /// `id` is new, and greater than those before.
    mutating func add(_ id: UInt64, at deadline: SteadyTime, _ body: @escaping () -> Void) {
        bodies[id] = body
        heap.append(Entry(deadline: deadline, id: id))
        rise(from: heap.count - 1)
    }

    /// Does nothing where that one is done or cancelled already.
    mutating func cancel(_ id: UInt64) {
        guard bodies.removeValue(forKey: id) != nil else { return }
        if heap.count > 2 * bodies.count + 64 { rebuild() }
    }

    /// When the next is due.
    var nextDeadline: SteadyTime? {
        mutating get {
            dropCancelled()
            return heap.first?.deadline
        }
    }

    /// Takes those due at `now` out of the line, in order; each is then to be asked for by `take`.
    mutating func popDue(at now: SteadyTime) -> [UInt64] {
        var due: [UInt64] = []
        while let first = heap.first, first.deadline <= now {
            removeFirst()
            due.append(first.id)
        }
        return due
    }

    /// What is to be done for one that `popDue` has given; `nil` if it was cancelled since.
    mutating func take(_ id: UInt64) -> (() -> Void)? {
        bodies.removeValue(forKey: id)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, bodies[first.id] == nil { removeFirst() }
    }

    /// Without the cancelled ones; a sorted array is a heap.
    private mutating func rebuild() {
        heap.removeAll { bodies[$0.id] == nil }
        heap.sort { $0.isBefore($1) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].isBefore(heap[parent]) else { return }
            heap.swapAt(place, parent)
            place = parent
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != place else { return }
            heap.swapAt(place, least)
            place = least
        }
    }
}
