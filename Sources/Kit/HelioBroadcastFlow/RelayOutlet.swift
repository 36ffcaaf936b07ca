public import HelioCore
private import HelioExtension
public import Heliograph
private import Synchronization

/// Sends a broadcast to the app through the app's relay socket (requirement rows 134, 152 and 154).
public final class RelayOutlet: BroadcastOutlet {
    private let relay: BroadcastRelay
    private let size: Mutex<PixelSize>

    /// The maximum number of sample frames in a packet, far below the relay's limit.
    private static let mostFrames = 8192

    /// Starts to connect. Throws `invalidArgument` for an invalid path or size, and `systemFailed` if the relay can't
    /// be started.
    ///
    /// - Parameters:
    ///   - size: the expected size of pictures; a picture of another size changes the stream's size.
    ///   - onEvent: called with each event on the relay's thread.
    public init(
        socket: String, size: PixelSize, onEvent: @escaping @Sendable (OutletEvent) -> Void
    ) throws(HelioError) {
        self.size = Mutex(size)
        relay = try BroadcastRelay(.init(socketPath: socket, size: size)) { event in
            switch event {
            case .connected: onEvent(.connected)
            case .lost(let reason): onEvent(.lost(reason))
            case .keyframeNeeded: onEvent(.keyframeNeeded)
            case .wanted(let bitrate, let largest): onEvent(.wanted(bitrate: bitrate, largest: largest))
            case .stopped(let reason): onEvent(.over(reason))
            }
        }
    }

    /// The time without a connection after which the broadcast is ended.
    public var patience: Duration { .seconds(10) }

    /// Sends a coded picture. A picture of another size than the previous one has to be a keyframe.
    public func write(_ frame: EncodedFrame, size: PixelSize) {
        let isOther = self.size.withLock { before in
            defer { before = size }
            return before != size
        }
        // The call can't fail: every size that an encoder produces is valid.
        if isOther { try? relay.change(size: size) }
        relay.write(frame)
    }

    /// Sends samples of the apps' sound or of the microphone, in packets of 8192 sample frames at most.
    public func write(_ samples: SoundSamples, of input: SoundInput) {
        let step = Self.mostFrames * samples.channels
        for start in stride(from: 0, to: samples.samples.count, by: step) {
            let part = samples.samples[start..<min(start + step, samples.samples.count)]
            let past = Double(start / samples.channels) / Double(samples.sampleRate)
            relay.write(
                samples: part.flatMap { sample -> [UInt8] in
                    let bits = UInt16(bitPattern: Int16(clamping: Int((max(-1, min(1, sample)) * 32768).rounded())))
                    return [UInt8(bits >> 8), UInt8(bits & 0xff)]
                },
                sampleRate: samples.sampleRate, channels: samples.channels, isMicrophone: input == .microphone,
                presentationTime: samples.presentationTime + .seconds(past))
        }
    }

    /// Ends the broadcast. Blocks until the queued data is sent, but no longer than `limit`.
    public func finish(within limit: Duration) { relay.finish(within: limit) }
}
