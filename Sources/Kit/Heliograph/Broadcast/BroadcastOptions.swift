internal import HelioBroadcast
public import HelioCore
public import HelioViewing

/// The options of a broadcast: where the screen is sent to, for any number of people, and how it is coded for them.
///
/// A shared screen is coded once more for it, on a thread of its own, so that size, rate and keyframes of a broadcast cost
/// viewers nothing. Where the settings are those of the viewers' encode, and `Options.adaptation` is off, one encode serves
/// both. Frames that an app encodes are broadcast as they are: their encoder is asked for the keyframes.
public struct BroadcastOptions: Sendable {
    /// The servers; each is connected to, and tried again, by itself.
    public var destinations: [BroadcastDestination]
    /// The largest picture; an upright screen's is turned (row 161). Even sides of 16 to 4096 pixels.
    public var largest = PixelSize(width: 1280, height: 720)
    /// The most pictures a second, 1 to 120.
    public var framesPerSecond = 30
    /// The bitrate of the picture, bits a second: 0.1 to 100 Mbit/s.
    public var bitrate = 3_000_000
    /// The codec. RTMP servers that are older than 2023 know H.264 alone.
    public var format = MediaAttributes.Format.avc
    /// The time between keyframes, at which people can join in: 0.5 to 10 s.
    public var keyframeInterval = Duration.seconds(2)
    /// `true` codes colours by BT.601 and tags them so; otherwise by BT.709 (rows 90 to 92).
    public var usesBT601 = false
    /// The codec of sound, AAC or Opus, where sound is shared; `nil` broadcasts none.
    public var sound: SoundAttributes.Format? = .aac
    /// A folder for a heartbeat, this user's alone, by which another process sees that this one was killed; see
    /// `BroadcastWatchdog`. `nil`: none.
    public var heartbeat: String?

    /// The longest time between two pictures. Players show one when the next is there.
    static let longestPause = Duration.milliseconds(100)

    /// Makes options for these servers.
    public init(to destinations: [BroadcastDestination]) { self.destinations = destinations }

    /// The settings of the encode. Throws `invalidArgument` for what is out of range.
    func encode() throws(HelioError) -> BroadcastEncode {
        try BroadcastEncode(
            codec: format == .hevc ? .h265 : .h264, size: largest, framesPerSecond: framesPerSecond,
            bitrate: Bitrate(bitsPerSecond: bitrate), keyframeInterval: keyframeInterval,
            color: usesBT601 ? .bt601 : .bt709)
    }
}
