internal import Playback
internal import WireProtocol

/// What the device tells.
extension SoundController: OutputDeviceDelegate {
    func deviceStopped(at index: Int64) {
        if isClosing { return finish() }
        phase = .stopped(at: index)
        isMoving = false
        written = index
        standReady(at: index)
        reconcile()
    }

    func deviceWantsSound() {
        reconcile()
        fill()
        attend()
    }

    func deviceTimed() {
        reconcile()
        fill()
        attend()
    }

    func deviceRanDry() {
        attend()
    }

    func deviceMustMove() {
        guard case .running = phase else { return }
        isMoving = true
        reconcile()
    }

    func deviceReopens() {
        phase = .absent(nil)
        queued = 0
        reconcile()
    }

    func deviceLost(audible: Double?, reason: String) {
        let wasWanted: Bool
        switch phase {
        case .absent: wasWanted = wantsPlaying
        case .running: wasWanted = true
        case .stopped, .stopping, .halting: wasWanted = false
        }
        if case .running = phase, let audible, let film = programme.film(at: audible) { resting = FilmFrame(film) }
        phase = .absent(reason)
        isMoving = false
        queued = 0
        programme.takeSwitches().forEach(tellSwitch)
        wantsPlaying = false
        boundaryTimer?.set(nil)
        if wasWanted { tellLoss(reason) }
        reconcile()
    }

    func deviceChanged(_ state: OutputState) {
        emit(.output(state))
    }
}
