/// What happens to a replay.
package enum ReplayEvent: Equatable, Sendable {
    case connected(Int)
    /// There is no connection to be had, in words.
    case refused(Int, reason: String)
    /// A whole line of the host without its end.
    case line(Int, [UInt8])
    /// A line past the protocol's limit.
    case lineTooLong(Int)
    /// The host has ended the connection, or it broke.
    case ended(Int)
    /// What became of the stage event that was asked for.
    case staged(StageOutcome)
}

/// What became of something that no remote can cause.
package enum StageOutcome: Equatable, Sendable {
    case done
    /// There is no stage, or this one cannot do that.
    case unable(reason: String)
    case failed(reason: String)
}

/// What a replay wants done; connections are numbered over the whole run.
package enum ReplayAction: Equatable, Sendable {
    case connect(Int)
    case send(Int, [UInt8])
    case disconnect(Int)
    /// Whether bytes are taken from the host.
    case read(Int, Bool)
    /// Answered by `staged`.
    case stage([String])
    case check(Check)
    /// Nothing more comes.
    case finished
}

/// How a replay judges time.
package struct ReplayPace: Equatable, Sendable {
    /// Seconds that an expected line may take.
    package var patience: Double
    /// Seconds by which what came on two connections may seem to have changed places; 0 where one queue carries both.
    package var orderSlack: Double
    /// Seconds by which a host's date may seem to run ahead or behind.
    package var clockSlack: Double
    /// Seconds by which a playing film may stand elsewhere than its anchors tell, beyond what a recording allows: sound
    /// needs its time to begin, and a busy machine more of it.
    package var positionSlack: Double
    /// Whether to replay what takes tens of seconds.
    package var takesLongOnes: Bool
    /// Whether what a remote does not read waits in the host, and not in buffers on the way.
    package var canStall: Bool

    package init(
        patience: Double, orderSlack: Double, clockSlack: Double, positionSlack: Double, takesLongOnes: Bool,
        canStall: Bool
    ) {
        self.positionSlack = positionSlack
        self.takesLongOnes = takesLongOnes
        self.canStall = canStall
        self.patience = patience
        self.orderSlack = orderSlack
        self.clockSlack = clockSlack
    }

    /// Over a network, on a machine that has other things to do as well.
    package static let realTime = ReplayPace(
        patience: 3, orderSlack: 0.05, clockSlack: 1, positionSlack: 0.15, takesLongOnes: false, canStall: false)
    package static let virtualTime = ReplayPace(
        patience: 3, orderSlack: 0, clockSlack: 0.002, positionSlack: 0, takesLongOnes: true, canStall: true)
}
