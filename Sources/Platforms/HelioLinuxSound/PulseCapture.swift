package import HelioCore
internal import HelioGround
private import HelioSoundCodecs

/// Captures the machine's playback, or a microphone, through PulseAudio's protocol, which PipeWire supports too.
///
/// Playback is captured from an output's monitor: the sound that is sent to the loudspeakers, at the output's volume if
/// that is applied by software. While no program plays, the monitor delivers silence, or nothing if the output is
/// suspended. A sample's capture time is the time at which the loudspeakers play it, which is in the future if the
/// output has a long buffer.
package final class PulseCapture: SoundCapturing {
    package let origin: SoundOrigin
    package let format = SoundFormat.standard
    package private(set) var deviceName: String
    private let client: PulseClient
    private let recorder: PulseRecorder
    private let queue = CaptureQueue()

    init(_ origin: SoundOrigin, device: String?, server: String?) throws(HelioError) {
        self.origin = origin
        client = try PulseClient(server: server)
        let recorder = PulseRecorder(client, origin: origin, device: device, queue: queue)
        self.recorder = recorder
        deviceName = ""
        client.user = recorder
        do {
            try client.open()
            let client = client
            let outcome = client.locked {
                _ = client.wait(PulseClient.patience) { recorder.outcome != nil }
                return recorder.outcome
            }
            deviceName = try Self.name(outcome, origin, device)
        } catch {
            client.close()
            throw error
        }
    }

    deinit { client.close() }

    private static func name(
        _ outcome: PulseRecorder.Outcome?, _ origin: SoundOrigin, _ device: String?
    ) throws(HelioError) -> String {
        switch outcome {
        case .recording(let name): return name
        case .noDevice:
            if let device { throw HelioError(.invalidArgument, "There is no sound device '\(device)' to capture.") }
            throw HelioError(
                .unsupported,
                origin == .system ? "This machine has no output for sound." : "This machine has no microphone.")
        case .failed(let message): throw HelioError(.captureFailed, message)
        case nil: throw HelioError(.captureFailed, "The sound server does not answer.")
        }
    }

    package var overrunFrames: UInt64 { queue.overrunFrames }

    package var waker: @Sendable () -> Void { { [queue] in queue.wake() } }

    /// Returns the next event. Never throws: while the device or the server is lost, this waits for it.
    package func next(until: Instant?) -> SoundCaptureEvent { queue.next(until: until, deviceName: &deviceName) }
}
