/// The settings of an encoder in an extension, as plain values (rows 139 to 141, with the corrections of defect 16).
public struct EncoderPreset: Sendable, Hashable {
    /// A limit on what is coded within any stretch of time: VideoToolbox wants bytes *and* seconds.
    public struct DataRateLimit: Sendable, Hashable {
        /// The most bytes.
        public var bytes: Int
        /// The stretch, in seconds.
        public var seconds: Double

        /// A limit of so many bytes in any stretch of so many seconds.
        public init(bytes: Int, seconds: Double) {
            self.bytes = bytes
            self.seconds = seconds
        }
    }

    /// The size of the coded picture.
    public let size: PixelSize
    /// The rate to begin with, and the average to code at, in bits a second: never below `minimumBitrate`.
    public let startBitrate: Int
    /// The least that rate control goes down to, in bits a second.
    public let minimumBitrate: Int
    /// The most that rate control goes up to, in bits a second.
    public let maximumBitrate: Int
    /// The frames a second that the encoder expects, and the most.
    public let framesPerSecond: Int
    /// The most frames from one keyframe to the next; keyframes are made on request as well.
    public let keyframeInterval: Int

    /// Makes a preset. A start rate below the least becomes the least, and a highest rate below that, too.
    ///
    /// - Parameters:
    ///   - startBitrate: in bits a second, as the other rates.
    ///   - maximumBitrate: `nil` takes row 141's rule for the average, 48 bits a pixel and second.
    public init(
        size: PixelSize, startBitrate: Int, minimumBitrate: Int, maximumBitrate: Int? = nil, framesPerSecond: Int,
        keyframeInterval: Int
    ) {
        self.size = size
        self.minimumBitrate = max(1, minimumBitrate)
        self.maximumBitrate = max(self.minimumBitrate, maximumBitrate ?? Self.highestBitrate(of: size))
        self.startBitrate = min(max(self.minimumBitrate, startBitrate), self.maximumBitrate)
        self.framesPerSecond = max(1, framesPerSecond)
        self.keyframeInterval = max(1, keyframeInterval)
    }

    /// True: pictures come out in the order in which they went in (row 140).
    public var keepsOrder: Bool { true }
    /// True: the encoder does not look ahead (row 140).
    public var isRealTime: Bool { true }

    /// The limit that belongs to an average bitrate: twice of it within a second.
    ///
    /// Row 141's two numbers, 44,236,800 bits and 11,059,200 bytes a second for 720x1280, are in this proportion.
    public static func limit(ofAverage bitrate: Int) -> DataRateLimit {
        DataRateLimit(bytes: max(1, bitrate / 8 * 2), seconds: 1)
    }

    /// The limit at the start rate.
    public var dataRateLimit: DataRateLimit { Self.limit(ofAverage: startBitrate) }

    /// The settings of row 139: 720x1280, 30 frames a second, a keyframe every 10 frames, 1 Mbit/s (its 300 kbit/s lie
    /// below its minimum). Nothing codes by them: a broadcast to the app takes the size as its first guess.
    public static let relayedPortrait = EncoderPreset(
        size: PixelSize(width: 720, height: 1280), startBitrate: 300_000, minimumBitrate: 1_000_000,
        framesPerSecond: 30, keyframeInterval: 10)

    /// The settings of a broadcast extension unless told otherwise: 1280x720, 30 frames a second, a keyframe every 2 s
    /// (rows 151 and 161), 4 Mbit/s to begin with.
    public static let broadcast = EncoderPreset(
        size: PixelSize(width: 1280, height: 720), startBitrate: 4_000_000, minimumBitrate: 1_000_000,
        framesPerSecond: 30, keyframeInterval: 60)

    /// The bitrate to code at where an app wants this one: within the least and the most; `nil` wants the start rate.
    public func bitrate(wanted: Int?) -> Int { min(max(minimumBitrate, wanted ?? startBitrate), maximumBitrate) }

    /// The size to code a screen of this size in, where an app wants no more than `largest`: the preset's and that, each
    /// turned to the screen's orientation.
    public func size(of screen: PixelSize, largest: PixelSize? = nil) -> PixelSize {
        let size = screen.fitted(within: Self.turned(self.size, like: screen))
        return size.fitted(within: largest.map { Self.turned($0, like: screen) })
    }

    private static func turned(_ size: PixelSize, like screen: PixelSize) -> PixelSize {
        (size.height > size.width) == (screen.height > screen.width)
            ? size : PixelSize(width: size.height, height: size.width)
    }

    /// Row 141's average: width x height x 3 x 4 x 4 bits a second. Far above what a screen needs, it is the ceiling here.
    static func highestBitrate(of size: PixelSize) -> Int {
        max(0, size.width) * max(0, size.height) * 3 * 4 * 4
    }
}
