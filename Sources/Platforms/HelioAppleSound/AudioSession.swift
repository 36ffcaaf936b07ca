#if os(iOS) || CHECKED_AS_IOS
internal import AVFAudio
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore
private import Synchronization

/// Configures and activates the app's `AVAudioSession` on iOS, for playback or capture. It is only type-checked; no
/// test runs it.
enum AudioSession {
    /// The number of outputs and captures that use the session, which is one for the whole app.
    private static let uses = Mutex(0)

    static func use() -> SoundUse {
        uses.withLock { $0 += 1 }
        return SoundUse {
            uses.withLock { uses in
                uses -= 1
                guard uses == 0 else { return }
                // An error only means that something still plays, which ends by itself.
                try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
            }
        }
    }

    /// Makes a route for `AudioQueue`, with interleaved stereo floats at the device's own rate, so that the system need
    /// not convert the rate.
    ///
    /// - Parameters:
    ///   - latency: in seconds.
    ///   - cycle: the buffer duration of the device, in seconds.
    private static func route(_ name: String, rate: Double, latency: Double, cycle: Double) -> SoundRoute {
        SoundRoute(
            name: name, format: DeviceSampleFormat(sampleRate: Int(exactly: rate.rounded()) ?? 0, channels: 2),
            latency: .nanoseconds(Int64(exactly: (latency * 1e9).rounded()) ?? 0),
            cycle: .nanoseconds(Int64(exactly: (cycle * 1e9).rounded()) ?? 0))
    }

    static func openPlayback() throws -> SoundRoute {
        let session = AVAudioSession.sharedInstance()
        if session.category != .playAndRecord {
            try session.setCategory(.playback, mode: .default, options: [])
        }
        try session.setPreferredIOBufferDuration(0.005)
        try session.setActive(true)
        let name = session.currentRoute.outputs.first?.portName ?? "The system's output"
        return route(
            name, rate: session.sampleRate, latency: session.outputLatency, cycle: session.ioBufferDuration)
    }

    static func openCapture() throws {
        let session = AVAudioSession.sharedInstance()
        // Not `.voiceChat`: that makes of all sound, the host's too, what is good for speech, and its echo canceller is
        // in the voice-processing unit, which a queue does not use.
        try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetoothA2DP])
        try session.setActive(true)
    }
}
#endif
