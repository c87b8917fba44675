import FuzzKit
import Hub
import WireProtocol

/// Three chunks' worth of cues that do not compress.
let shelf: CueShelf = {
    var state: UInt64 = 1
    let cues = (0..<1_500).map { place in
        let text = (0..<4).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return String(state, radix: 36)
        }
        return Cue(index: place, start: Double(place), end: Double(place) + 1, text: text.joined())
    }
    return CueShelf(CueBundle(sessionID: "push", revision: 1, cues: cues), digest: CueBundle.digest(of: cues))
}()

/// Bytes and events of one input, so that none takes long.
let (mostBytes, mostEvents) = (4 << 20, 2_000)

fuzz { input in
    var choices = Choices(input)
    var walk = Walk()
    var (bytes, events) = (0, 0)
    while !choices.isAtEnd, events < mostEvents, bytes < mostBytes {
        events += 1
        switch choices.below(14) {
        case 0:
            let piece = choices.block()
            bytes += piece.count
            walk.receive(piece)
        case 1: walk.receive(choices.bytes(choices.below(32)))
        case 2:
            let line = choices.one(of: Line.all)
            for _ in 0..<choices.one(of: [1, 1, 2, 20, 99, 255]) {
                bytes += line.count
                walk.receive(line)
            }
        case 3:
            // Many in one packet.
            let lines = (0..<choices.below(32)).flatMap { _ in choices.one(of: Line.all) }
            bytes += lines.count
            walk.receive(lines)
        case 4:
            let line = choices.one(of: Line.all)
            let cut = choices.length() % line.count
            bytes += line.count
            walk.receive(Array(line[..<cut]))
            walk.receive(Array(line[cut...]))
        case 5:
            let long = [UInt8](repeating: choices.byte(), count: 2 * choices.length())
            bytes += long.count
            walk.receive(long)
        case 6:
            let (place, isLong) = (choices.below(256), choices.flag())
            for _ in 0..<choices.one(of: [1, 1, 4, 64]) { walk.reply(place, isLong: isLong) }
        case 7: walk.push(metadata: choices.flag(), snapshot: choices.flag())
        case 8: walk.machine.push(cues: shelf)
        case 9: walk.machine.pushSessionEnded()
        case 10:
            walk.now = walk.now + choices.one(of: [0, 0.001, 0.1, 1, 5, 9.999, 10, 29.999, 30, 59.999, 60, 100])
            walk.tick()
        case 11:
            if let deadline = walk.machine.nextDeadline { walk.now = max(walk.now, deadline) }
            walk.tick()
        case 12: if choices.flag() { walk.readAll() } else { _ = walk.read() }
        default: if choices.below(8) == 0 { walk.goodbye() }
        }
    }
    walk.readAll()
}
