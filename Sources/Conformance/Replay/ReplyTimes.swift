/// How long answers took.
struct ReplyTimes: Equatable, Sendable {
    private var seconds: [Double] = []

    mutating func add(_ time: Double) {
        seconds.append(time)
    }

    /// Median, 99th percentile and longest; none where nothing was asked.
    var timings: [Check.Timing] {
        guard !seconds.isEmpty else { return [] }
        let sorted = seconds.sorted()
        func percentile(_ share: Double) -> Double { sorted[Int((Double(sorted.count - 1) * share).rounded(.up))] }
        return [
            .init("replyP50", seconds: percentile(0.5)), .init("replyP99", seconds: percentile(0.99)),
            .init("replyMax", seconds: sorted[sorted.count - 1]),
        ]
    }
}
