internal import TextScreen
internal import WireProtocol

/// What the hand does, sorted by what lies on top.
extension RemoteScreen {
    mutating func take(_ input: ScreenInput, _ now: SteadyTime) {
        switch input {
        case .resized(let size): self.size = size
        case .exposed: want(.redraw)
        case .key(let key):
            touch(now)
            take(key, now)
        case .tapped(let row, let column):
            touch(now)
            if let target = picture(at: now).target(row: row, column: column) {
                take(target, now)
            } else if case .help = overlay {
                overlay = .none
            }
        case .scrolled(let up, _, _):
            touch(now)
            scroll(up ? -1 : 1, now)
        }
    }

    private mutating func touch(_ now: SteadyTime) {
        lastTouch = now
    }

    mutating func take(_ key: ScreenInput.Key, _ now: SteadyTime) {
        switch key {
        case .interrupt: return want(.quit)
        case .suspend: return want(.suspend)
        default: break
        }
        switch overlay {
        case .none: break
        case .address(let line): return take(key, address: line, now)
        case .search(let search): return take(key, search: search, now)
        case .jumps(let chosen): return take(key, jump: chosen, now)
        case .help(let offset): return take(key, help: offset, now)
        }
        switch scene {
        case .finding: takeWhileFinding(key, now)
        case .message: _ = takeAnywhere(key, now)
        case .pages: takeOnPage(key, now)
        }
    }

    /// Keys that mean the same wherever no text is typed.
    mutating func takeAnywhere(_ key: ScreenInput.Key, _ now: SteadyTime) -> Bool {
        guard case .character(let character) = key else { return false }
        switch character {
        case "q": want(.quit)
        case "?": overlay = .help(0)
        case "a": overlay = .address(LineInput())
        case "o": chooseHost()
        default: return false
        }
        return true
    }

    private mutating func chooseHost() {
        guard case .settled(let name) = finding.stage else { return }
        finding.stage = .choosing(instead: name)
    }

    /// A tap on something that can be tapped.
    private mutating func take(_ target: Picture.Target, _ now: SteadyTime) {
        switch target {
        case .key(let key): take(key, now)
        case .page(let page): show(page)
        case .cue(let place):
            overlay = .none
            seek(toCue: place, now)
        case .track(let place): switchTrack(place, now)
        case .host(let place): pickHost(place)
        case .jump(let place):
            overlay = .none
            undo(through: place, now)
        }
    }

    private mutating func scroll(_ step: Int, _ now: SteadyTime) {
        switch overlay {
        case .none: break
        case .address: return
        case .search, .jumps, .help: return take(step < 0 ? .up : .down, now)
        }
        switch scene {
        case .finding: finding.select(finding.selected + step)
        case .message: break
        case .pages:
            switch page {
            case .transport: turnVolume(step < 0 ? 0.05 : -0.05, now)
            case .cues: browse(by: 3 * step, now)
            case .tracks: chooseTrack(by: step)
            }
        }
    }

    // MARK: Hosts

    private mutating func takeWhileFinding(_ key: ScreenInput.Key, _ now: SteadyTime) {
        switch key {
        case .up, .character("k"): finding.select(finding.selected - 1)
        case .down, .character("j"): finding.select(finding.selected + 1)
        case .home, .pageUp: finding.select(0)
        case .end, .pageDown: finding.select(.max)
        case .enter: pickHost(finding.selected)
        case .escape:
            if case .choosing(let name) = finding.stage { finding.stage = .settled(name) }
        case .character(let digit) where ("1"..."9").contains(digit):
            pickHost((digit.wholeNumberValue ?? 0) - 1)
        default: _ = takeAnywhere(key, now)
        }
    }

    private mutating func pickHost(_ place: Int) {
        guard finding.hosts.indices.contains(place) else { return }
        finding.select(place)
        connect(to: finding.hosts[place])
    }

    private mutating func take(_ key: ScreenInput.Key, address: LineInput, _ now: SteadyTime) {
        var line = address
        switch key {
        case .escape: overlay = .none
        case .enter:
            overlay = .none
            let address = SafeText.line(line.text)
            guard !address.isEmpty else { return }
            finding.stage = .settled(address)
            finding.linkFailure = nil
            want(.connectTo(address: address))
        default:
            if line.take(key) { overlay = .address(line) }
        }
    }
}
