internal import CPulse

/// What the server tells of a sink.
struct PulseSink {
    var index: UInt32
    var description: String
    var volumes: pa_cvolume
    var isMuted: Bool
    /// There is a device behind it.
    var isHardware: Bool
    /// The sink takes back what it was given and has not played, so that other sound can be put in its place.
    var canRewind: Bool
    /// The socket in use (“Headphones”), and those into which nothing is plugged.
    var activePort: String?
    var unpluggedPorts: Set<String>

    init(_ sink: pa_sink_info) {
        index = sink.index
        description = sink.description.map { String(cString: $0) } ?? ""
        volumes = sink.volume
        isMuted = sink.mute != 0
        // The server does not tell `max_rewind`. Devices that rewind choose their latency by need (ALSA's with timers);
        // those that do not (Bluetooth) have a fixed one. A null sink rewinds, but its monitor, which is all that is ever
        // heard of it, has been given what was rendered (`pa_source_output_push` keeps nothing back of a new block).
        let flags = sink.flags.rawValue
        isHardware = flags & PA_SINK_HARDWARE.rawValue != 0
        canRewind =
            isHardware && flags & PA_SINK_DYNAMIC_LATENCY.rawValue != 0 && flags & PA_SINK_NETWORK.rawValue == 0
        activePort = sink.active_port.map { String(cString: $0.pointee.name) }
        let ports = UnsafeBufferPointer(start: sink.ports, count: Int(sink.n_ports)).compactMap(\.self)
        unpluggedPorts = Set(
            ports.filter { $0.pointee.available == Int32(PA_PORT_AVAILABLE_NO.rawValue) }.map {
                String(cString: $0.pointee.name)
            })
    }

    /// The loudest channel, as desktop mixers show it: 1 is the device's own full volume.
    var volume: Double {
        withUnsafePointer(to: volumes) { min(1, Double(pa_cvolume_max($0)) / Double(PA_VOLUME_NORM)) }
    }

    /// Volumes with the loudest channel at `volume`, balanced as they are.
    func volumes(scaledTo volume: Double) -> pa_cvolume {
        var scaled = volumes
        pa_cvolume_scale(&scaled, pa_volume_t((min(1, max(0, volume)) * Double(PA_VOLUME_NORM)).rounded()))
        return scaled
    }

    /// Whether the socket that `before` played through has lost its plug: the sink lives on, but in the loudspeakers.
    func hasLostPlug(since before: PulseSink) -> Bool {
        guard before.index == index, let port = before.activePort else { return false }
        return unpluggedPorts.contains(port) && !before.unpluggedPorts.contains(port)
    }
}
