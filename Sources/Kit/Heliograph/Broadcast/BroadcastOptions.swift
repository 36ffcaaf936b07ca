internal import HelioBroadcast
public import HelioCore
public import HelioSharing

/// The options of a broadcast: the servers that the screen is sent to, and how it is coded for them.
///
/// A shared screen gets a second encode for the broadcast, on a thread of its own, so that size, rate and keyframes of
/// a broadcast cost viewers nothing. If the settings equal those of the viewers' encode, and `Options.adaptation` is
/// off, one encode serves both. Frames that an app encodes are broadcast unchanged: the app's encoder is asked for the
/// keyframes.
public struct BroadcastOptions: Sendable {
    /// The servers. Each connection is made, and retried, independently.
    public var destinations: [BroadcastDestination]
    /// The largest picture; for an upright screen, width and height are swapped (row 161). Even sides of 16 to 4096
    /// pixels.
    public var largest = PixelSize(width: 1280, height: 720)
    /// The ceiling of the frame rate, in pictures a second: 1 to 120.
    public var framesPerSecond = 30
    /// The bitrate of the picture, bits a second: 0.1 to 100 Mbit/s.
    public var bitrate = 3_000_000
    /// The video codec. RTMP servers older than 2023 support H.264 alone.
    public var format = MediaAttributes.Format.avc
    /// The time between keyframes, at which people can join: 0.5 to 10 s.
    public var keyframeInterval = Duration.seconds(2)
    /// `true` codes colours by BT.601 and tags them so; `false` by BT.709 (rows 90 to 92).
    public var usesBT601 = false
    /// The codec of the sound, AAC or Opus, if sound is shared; `nil` broadcasts none.
    public var sound: SoundAttributes.Format? = .aac
    /// A folder for a heartbeat, by which another process notices that this one was killed; see `BroadcastWatchdog`. It
    /// has to belong to this user alone. `nil` for none.
    public var heartbeat: String?

    /// The longest time between two pictures. Players show a picture only when the next one arrives.
    static let longestPause = Duration.milliseconds(100)

    /// Makes options for these servers.
    public init(to destinations: [BroadcastDestination]) { self.destinations = destinations }

    /// Checks the options and returns the settings of the encode. Throws `invalidArgument` for a value out of range.
    func encode() throws(HelioError) -> BroadcastEncode {
        try BroadcastEncode(
            codec: format == .hevc ? .h265 : .h264, size: largest, framesPerSecond: framesPerSecond,
            bitrate: Bitrate(bitsPerSecond: bitrate), keyframeInterval: keyframeInterval,
            color: usesBT601 ? .bt601 : .bt709)
    }
}
