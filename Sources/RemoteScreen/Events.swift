package import RemoteCore
package import TextScreen
package import WireProtocol

/// What goes into the model and what comes out of it.
extension RemoteScreen {
    package struct Options: Sendable {
        /// Always on: the time moves once a minute, but for some seconds after each key.
        package var isDim = false
        /// A bell for each tap that is taken.
        package var hasBell = false
        /// Id of the host to connect to without asking.
        package var rememberedHostID: String?
        /// Where the caller connects to; then no host is picked here.
        package var address: String?
        /// This remote's own, by which a host tells other remotes who did what.
        package var ownName: String?

        package init() {}
    }

    package enum Event: Sendable {
        case input(ScreenInput)
        /// The newest state of the connection machine, in which all intents so far have had their effect.
        case link(RemoteView)
        /// A command is settled; each ticket is once.
        case finished(ticket: Int, Result<CommandReply, CommandFailure>)
        /// All hosts that are heard now, and why none can be.
        case hosts([HostEntry], searchFailure: String?)
        /// One sentence why the last attempt to connect failed.
        case linkFailed(String)
        /// `nextDeadline` is there.
        case tick
    }

    /// What the owner has to do, in the order given and before the next event.
    package enum Intent: Equatable, Sendable {
        case command(Command, ticket: Int)
        /// Seconds to skip, to be summed up.
        case tapSkip(Double, ticket: Int)
        /// 0 to 1, to be thinned out.
        case turnVolume(Double, ticket: Int)
        case connect(HostEntry)
        /// As it was typed.
        case connectTo(address: String)
        case quit
        case suspend
        case bell
        /// Nothing of what was drawn can be relied on.
        case redraw
    }
}
