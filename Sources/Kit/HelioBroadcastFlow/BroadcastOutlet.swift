public import HelioCore
public import Heliograph

/// A destination of an extension's broadcast: the app, or a server. All methods may be called on any thread; only
/// `finish` blocks.
public protocol BroadcastOutlet: AnyObject, Sendable {
    /// The time without a connection after which the broadcast is ended.
    var patience: Duration { get }
    /// Sends a coded picture of this size. A picture of another size than the previous one has to be a keyframe.
    func write(_ frame: EncodedFrame, size: PixelSize)
    /// Sends samples of the apps' sound or of the microphone.
    func write(_ samples: SoundSamples, of input: SoundInput)
    /// Ends the broadcast. Blocks until the queued data is sent, but no longer than `limit`.
    func finish(within limit: Duration)
}
