public import HelioCore
public import Heliograph

/// The destination of an extension's broadcast: its app, or a server. All calls may come on any thread; only `finish`
/// blocks.
public protocol BroadcastOutlet: AnyObject, Sendable {
    /// The longest time without a connection before the broadcast is given up.
    var patience: Duration { get }
    /// Sends a coded picture of this size. A picture of another size than the previous one has to be a keyframe.
    func write(_ frame: EncodedFrame, size: PixelSize)
    /// Sends samples of the apps' sound or of the microphone.
    func write(_ samples: SoundSamples, of input: SoundInput)
    /// Ends the broadcast, after sending queued data for at most this long.
    func finish(within limit: Duration)
}
