// Does what a sanitizer is there to find. Tests/Support/sanitizer runs it to see that a report comes.
//
//   planted-faults race     two threads count together without a lock, and in between look at generic metadata, as all
//                           unoptimised Swift does (see swift-once-under-tsan.c)
//   planted-faults leak     memory that nobody can reach any more
import Glibc

enum Planted {
    nonisolated(unsafe) static var count = 0
}

func countOn(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    for _ in 0..<20 {
        lookAtMetadata()
        Planted.count += 1
        lookAtMetadata()
        usleep(10_000)
    }
    return nil
}

func lookAtMetadata() {
    var numbers = [1.0]
    numbers.append(contentsOf: numbers.map { $0 + 1 }.suffix(1))
}

/// Deep enough that no copy of the address is left on the stack.
func lose(_ depth: Int) {
    if depth == 0 { malloc(1_000) } else { lose(depth - 1) }
}

switch CommandLine.arguments.last {
case "race":
    var other = pthread_t()
    pthread_create(&other, nil, countOn, nil)
    // In turns, so that the looks lie between the counts.
    usleep(5_000)
    _ = countOn(nil)
    pthread_join(other, nil)
case "leak":
    lose(100)
default:
    exit(64)
}
