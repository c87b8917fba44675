import Charset
import CueSearch
import Glibc
import LinuxSystem
import Subtitles
import WireProtocol

/// Seconds of this thread's own work on `body`, the best of a few times: others on the machine count little.
func seconds(_ times: Int = 5, _ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    return (0..<times).map { _ in
        let start = now()
        body()
        return now() - start
    }.min() ?? 0
}

/// Mebibytes that this process has held at most.
func peakMebibytes() -> Double {
    let status = (try? Files.read("/proc/self/status", maximumBytes: 65_536)).map {
        String(decoding: $0, as: UTF8.self)
    }
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0
    return kibibytes / 1_024
}

func report(_ name: String, _ value: String) {
    print(name + String(repeating: " ", count: max(1, 44 - name.count)) + value)
}

func milliseconds(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }

func fail(_ sentence: String) -> Never {
    print(sentence)
    exit(1)
}

func measureReading(_ path: String) {
    guard let bytes = try? Files.read(path, maximumBytes: SubtitleReader.maximumBytes) else {
        fail("\(path) cannot be read")
    }
    let name = String(path.split(separator: "/").last ?? "")
    let before = peakMebibytes()
    var result = "no cues"
    let time = seconds(bytes.count > 20 << 20 ? 1 : 5) {
        if let document = try? SubtitleReader.read(bytes, pages: SystemCodePages()) {
            result = "\(document.cues.count) cues, \(document.encoding)"
        }
    }
    let more = peakMebibytes() - before
    report(
        "\(name), \(bytes.count / 1_000) kB", "\(milliseconds(time)), \(Int(more)) MiB beside the file: \(result)")
}

/// Types a sentence letter by letter into the search of a film's lines.
func measureSearch(_ path: String, lines: Int) {
    guard let bytes = try? Files.read(path, maximumBytes: SubtitleReader.maximumBytes),
        let document = try? SubtitleReader.read(bytes)
    else { fail("\(path) cannot be read") }
    let cues = Array(document.cues.prefix(lines))
    var index = CueIndex([])
    report("index of \(cues.count) lines", milliseconds(seconds { index = CueIndex(cues) }))
    let sentence = cues[cues.count / 2].text
    var (worst, total, keys) = (0.0, 0.0, 0)
    for length in 1...sentence.count {
        let typed = String(sentence.prefix(length))
        let time = seconds(3) { if index.find(typed, limit: 200).isEmpty { fail("“\(typed)” was not found") } }
        (worst, total, keys) = (max(worst, time), total + time, keys + 1)
    }
    report("a key of \(keys), mean and worst", "\(milliseconds(total / Double(keys))), \(milliseconds(worst))")
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "read" where arguments.count == 2: measureReading(arguments[1])
case "search" where arguments.count == 2:
    measureSearch(arguments[1], lines: 5_000)
    measureSearch(arguments[1], lines: 50_000)
default: fail("read FILE, or search FILE: Tests/Benchmarks/subtitles makes the files")
}
