internal import Playback
internal import WireProtocol

/// A timeline of frames that sounds: everything is addressed by index, counted since the device was opened.
///
/// What has been written but not heard can be written again; that is how a new sound replaces the old one at once. All of
/// it is called on the sound thread, and nothing waits.
protocol OutputDevice: AnyObject {
    var delegate: (any OutputDeviceDelegate)? { get set }
    /// The index after the last frame written.
    var writeIndex: Int64 { get }
    /// Frames that the device would take now, from `writeIndex` on.
    var wanted: Int64 { get }
    /// Frames that the device likes to hold.
    var depth: Int64 { get }
    /// Writes frames `range`, which may lie before `writeIndex`.
    func write(_ range: Range<Int64>, render: (_ from: Int64, _ count: Int, UnsafeMutablePointer<Float>) -> Void)
    /// The index that leaves the device at `time`; `nil` while that is not known.
    func audibleIndex(at time: SteadyTime) -> Double?
    /// Frames at least from what is heard to `earliestChange`.
    var margin: Int64 { get }
    /// The first index from `time` on at which other sound than what was written may begin; `nil` while that is not known:
    /// `deviceTimed` tells when it is worth asking again.
    func earliestChange(at time: SteadyTime) -> Int64?
    /// Whether the timeline stands although it was started: someone has suspended the device.
    var isHalted: Bool { get }
    /// Opens the device, now and again after it was lost.
    func open()
    /// Lets the timeline run.
    func start()
    /// Halts the timeline; the delegate is told where.
    func stop()
    func setVolume(_ volume: Double)
    func close()
}

/// What a device tells, on the sound thread.
protocol OutputDeviceDelegate: AnyObject {
    /// It is open or has stopped, and goes on from `index`.
    func deviceStopped(at index: Int64)
    /// It takes more.
    func deviceWantsSound()
    /// What it knows about its time has been renewed.
    func deviceTimed()
    func deviceRanDry()
    /// It has to be stopped to go on elsewhere, as the user wishes.
    func deviceMustMove()
    /// It changes to another device, stopped; `deviceStopped` tells when it is there.
    func deviceReopens()
    /// Nothing sounds any more; `audible` is the last index that was heard, where known.
    func deviceLost(audible: Double?, reason: String)
    func deviceChanged(_ state: OutputState)
}
