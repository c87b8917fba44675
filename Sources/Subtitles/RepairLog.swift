/// A fault that a reader got over, and the sentence that tells it.
enum Fault: Int, CaseIterable {
    case strayText, brokenTiming, emptyCue, missingBlankLine, missingIndex, textOnTimingLine, negativeTime
    case oversizedMinute, endBeforeStart, missingEnd, outOfOrder, renumbered, longText, truncatedEnd, guessedFrameRate

    var sentence: String {
        switch self {
        case .strayText: "text before the first time line was left out"
        case .brokenTiming: "this time line cannot be read; its text was left out"
        case .emptyCue: "this cue has no text and was left out"
        case .missingBlankLine: "no blank line before this cue"
        case .missingIndex: "this cue has no number"
        case .textOnTimingLine: "text on the time line became the cue's first line"
        case .negativeTime: "a time before the film's start became 0"
        case .oversizedMinute: "minutes or seconds above 59 were carried over"
        case .endBeforeStart: "this cue ended before its start; it now ends at its start"
        case .missingEnd: "the end time cannot be read; the cue now ends at its start"
        case .outOfOrder: "this cue starts before the one above it; cues were sorted by start"
        case .renumbered: "cue numbers are missing, repeated or do not grow; cues were numbered from 1"
        case .longText: "the text is longer than 1 MiB and was cut"
        case .guessedFrameRate: "the file does not say its frame rate; 23.976 frames a second were assumed"
        case .truncatedEnd: "the file ends in the middle of a cue"
        }
    }
}

/// Collects repairs; of each kind the first few by line, the rest as a count.
struct RepairLog {
    private static let listedPerFault = 10

    private var listed: [Repair] = []
    private var counts = [Int](repeating: 0, count: Fault.allCases.count)
    private var lastLines = [Int](repeating: 0, count: Fault.allCases.count)

    mutating func note(_ fault: Fault, line: Int) {
        counts[fault.rawValue] += 1
        lastLines[fault.rawValue] = line
        if counts[fault.rawValue] <= Self.listedPerFault {
            listed.append(Repair(line: line, sentence: fault.sentence))
        }
    }

    /// What is told once of a file.
    mutating func note(_ sentence: String, line: Int) {
        listed.append(Repair(line: line, sentence: sentence))
    }

    func count(of fault: Fault) -> Int {
        counts[fault.rawValue]
    }

    /// All of them, those not listed included.
    var total: Int {
        listed.count + counts.reduce(0) { $0 + max(0, $1 - Self.listedPerFault) }
    }

    /// Sorted by line.
    var entries: [Repair] {
        var all = listed
        for fault in Fault.allCases where counts[fault.rawValue] > Self.listedPerFault {
            let more = counts[fault.rawValue] - Self.listedPerFault
            all.append(
                Repair(line: lastLines[fault.rawValue], sentence: "\(fault.sentence) (and \(more) more up to here)"))
        }
        return all.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }
}
