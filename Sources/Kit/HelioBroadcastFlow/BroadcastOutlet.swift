public import HelioCore
public import Heliograph

/// Where an extension's broadcast goes: to its app, or to a server. Any thread may call; nothing but `finish` blocks.
public protocol BroadcastOutlet: AnyObject, Sendable {
    /// How long it may be without a connection before the broadcast ends.
    var patience: Duration { get }
    /// Hands over a coded picture of this size. One of another size than before is a keyframe.
    func write(_ frame: EncodedFrame, size: PixelSize)
    /// Hands over sound.
    func write(_ samples: SoundSamples, of input: SoundInput)
    /// Ends it: sends what waits, for at most this long.
    func finish(within limit: Duration)
}
