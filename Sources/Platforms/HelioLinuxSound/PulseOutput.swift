package import HelioCore

/// A sound output through PulseAudio's protocol, which PipeWire supports too.
package final class PulseOutput: SoundPlaying {
    package let format = SoundFormat.standard
    private let client: PulseClient
    private let player: PulsePlayer
    private let microphone: VirtualMicrophone?
    private var isStopped = false

    /// - Parameter device: the device's name; `nil` for the default device.
    convenience init(device: String?, server: String?, render: @escaping SoundRenderer) throws(HelioError) {
        try self.init(device.map { .device($0) } ?? .standard, server: server, render: render)
    }

    convenience init(microphone name: String, server: String?, render: @escaping SoundRenderer) throws(HelioError) {
        try self.init(.microphone(VirtualMicrophone(name)), server: server, render: render)
    }

    private init(
        _ target: PulsePlayer.Target, server: String?, render: @escaping SoundRenderer
    ) throws(HelioError) {
        client = try PulseClient(server: server)
        if case .microphone(let microphone) = target { self.microphone = microphone } else { microphone = nil }
        let player = PulsePlayer(client, target, render: render)
        self.player = player
        client.user = player
        do {
            try client.open()
            let client = client
            let outcome = client.locked {
                _ = client.wait(PulseClient.patience) { player.outcome != nil }
                return player.outcome
            }
            try Self.check(outcome, target)
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    private static func check(_ outcome: PulsePlayer.Outcome?, _ target: PulsePlayer.Target) throws(HelioError) {
        switch outcome {
        case .playing: break
        case .noDevice:
            if case .device(let name) = target {
                throw HelioError(.invalidArgument, "There is no sound device '\(name)' to play by.")
            }
            throw HelioError(.unsupported, "This machine has no output for sound.")
        case .failed(let message): throw HelioError(.unsupported, message)
        case nil: throw HelioError(.unsupported, "The sound server does not answer.")
        }
    }

    package var deviceName: String { player.current.deviceName }
    package var latency: Duration { player.current.latency }
    package var underruns: UInt64 { player.current.underruns }
    package var state: SoundOutputState { player.current.state }

    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        microphone?.remove(client)
        client.close()
    }
}
