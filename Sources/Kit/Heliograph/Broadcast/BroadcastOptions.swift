internal import HelioBroadcast
public import HelioCore
public import HelioSharing

/// The options of a broadcast: the servers that the screen is sent to, and the settings of its encoding.
///
/// A shared screen is encoded separately for the broadcast, on a thread of its own, so that the broadcast's size,
/// bitrate and keyframes don't affect viewers. If the settings equal those of the viewers' encoding, and
/// `MirrorSource.Options.adaptation` is off, one encoding serves both. Frames that an app encodes are broadcast
/// unchanged, and the app's encoder is asked for the keyframes.
public struct BroadcastOptions: Sendable {
    /// The servers. Each is connected and retried independently.
    public var destinations: [BroadcastDestination]
    /// The maximum size of the picture; for a portrait screen, width and height are swapped (requirement row 161). Each
    /// side has to be even, within 16...4096 pixels.
    public var largest = PixelSize(width: 1280, height: 720)
    /// The maximum frame rate, in frames per second: 1 to 120.
    public var framesPerSecond = 30
    /// The bitrate of the picture, in bits per second: 100,000 to 100,000,000.
    public var bitrate = 3_000_000
    /// The video codec. RTMP servers older than 2023 support H.264 alone.
    public var format = MediaAttributes.Format.avc
    /// The time between keyframes, at which players can join: 0.5 to 10 s.
    public var keyframeInterval = Duration.seconds(2)
    /// True to encode and tag colours by BT.601; false for BT.709 (requirement rows 90 to 92).
    public var usesBT601 = false
    /// The codec of the sound, AAC or Opus, if sound is shared; `nil` broadcasts no sound. WHIP always gets Opus.
    public var sound: SoundAttributes.Format? = .aac
    /// A folder for a heartbeat file, by which another process notices that this process was killed; see
    /// `BroadcastWatchdog`. Only this user may have write access to the folder. `nil` for no heartbeat.
    public var heartbeat: String?

    /// The maximum time between two pictures, as players show a picture only when the following picture arrives.
    static let longestPause = Duration.milliseconds(100)

    /// Makes options for these servers: 720p30 in H.264 at 3 Mbit/s, with AAC sound.
    public init(to destinations: [BroadcastDestination]) { self.destinations = destinations }

    /// Checks the options and returns the settings of the encoding. Throws `invalidArgument` if a value is out of
    /// range.
    func encode() throws(HelioError) -> BroadcastEncode {
        try BroadcastEncode(
            codec: format == .hevc ? .h265 : .h264, size: largest, framesPerSecond: framesPerSecond,
            bitrate: Bitrate(bitsPerSecond: bitrate), keyframeInterval: keyframeInterval,
            color: usesBT601 ? .bt601 : .bt709)
    }
}
