internal import RemoteScreen
internal import TextScreen
internal import WireProtocol

/// What a person sees or hears of a remote, and puts their hands on.
protocol RemoteFace: AnyObject {
    /// The descriptor that is readable when there is input.
    var inputDescriptor: Int32 { get }
    var size: ScreenSize { get }
    var measure: TextMeasure { get }

    /// What the hands have done since; `nil` when nothing can come any more.
    func readInput() -> [ScreenInput]?
    /// The window has another size.
    func resized() -> ScreenSize
    /// Shows the state.
    func show(_ screen: RemoteScreen, now: SteadyTime)
    /// When to hand in `tick` and to show it again, without an event.
    func nextDeadline(_ screen: RemoteScreen, after now: SteadyTime) -> SteadyTime?
    /// Shows everything anew.
    func redraw()
    func ringBell()
    /// Gives the terminal back to the shell until the user brings this program to the front again; returns what that means
    /// for what is shown.
    func suspend() -> [ScreenInput]
    /// The process goes on after it was stopped by somebody else; returns what that means for what is shown.
    func continued() -> [ScreenInput]
    /// Leaves the terminal as it was.
    func close()
}
