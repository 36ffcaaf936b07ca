/// The settings of an encoder in a broadcast extension (requirement rows 139 to 141, corrected for the requirements'
/// defect 16).
public struct EncoderPreset: Sendable, Hashable {
    /// A limit on the encoded bytes within any period of time; VideoToolbox needs bytes *and* seconds.
    public struct DataRateLimit: Sendable, Hashable {
        /// The maximum number of bytes within the period.
        public var bytes: Int
        /// The length of the period, in seconds.
        public var seconds: Double

        /// Makes a limit; the values are not checked.
        public init(bytes: Int, seconds: Double) {
            self.bytes = bytes
            self.seconds = seconds
        }
    }

    /// The size of the coded picture.
    public let size: PixelSize
    /// The initial and average bitrate, in bits per second; never below `minimumBitrate`.
    public let startBitrate: Int
    /// The lowest bitrate that rate control uses, in bits per second.
    public let minimumBitrate: Int
    /// The highest bitrate that rate control uses, in bits per second.
    public let maximumBitrate: Int
    /// The expected and highest number of frames per second.
    public let framesPerSecond: Int
    /// The maximum number of frames from one keyframe to the next; more keyframes are made on request.
    public let keyframeInterval: Int

    /// Makes a preset. Raises `maximumBitrate` to at least `minimumBitrate`, and clamps `startBitrate` to the range
    /// between them. Numbers below 1 become 1.
    ///
    /// - Parameters:
    ///   - startBitrate: in bits per second, like the other rates.
    ///   - maximumBitrate: in bits per second; `nil` for 48 bits per pixel and second, the average of requirement
    ///     row 141.
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

    /// True: pictures are output in the order of input (requirement row 140).
    public var keepsOrder: Bool { true }
    /// True: the encoder does not look ahead (requirement row 140).
    public var isRealTime: Bool { true }

    /// The data rate limit for an average bitrate: twice the average within a second.
    ///
    /// Requirement row 141 has this ratio: for 720x1280, 44,236,800 bits and 11,059,200 bytes per second.
    public static func limit(ofAverage bitrate: Int) -> DataRateLimit {
        DataRateLimit(bytes: max(1, bitrate / 8 * 2), seconds: 1)
    }

    /// The data rate limit at `startBitrate`.
    public var dataRateLimit: DataRateLimit { Self.limit(ofAverage: startBitrate) }

    /// The settings of requirement row 139: 720x1280, 30 frames per second, a keyframe every 10 frames. The row's
    /// initial bitrate of 300 kbit/s is below the minimum that the same row requires, so the initializer raises it to 1
    /// Mbit/s. No encoder uses these settings; a broadcast to the app uses the size until the screen's size is known.
    public static let relayedPortrait = EncoderPreset(
        size: PixelSize(width: 720, height: 1280), startBitrate: 300_000, minimumBitrate: 1_000_000,
        framesPerSecond: 30, keyframeInterval: 10)

    /// The default settings of a broadcast extension: 1280x720, 30 frames per second, a keyframe every 2 s (requirement
    /// rows 151 and 161), initially 4 Mbit/s.
    public static let broadcast = EncoderPreset(
        size: PixelSize(width: 1280, height: 720), startBitrate: 4_000_000, minimumBitrate: 1_000_000,
        framesPerSecond: 30, keyframeInterval: 60)

    /// The bitrate for an app's request, clamped to the lowest and highest rate; `nil` requests the start rate.
    public func bitrate(wanted: Int?) -> Int { min(max(minimumBitrate, wanted ?? startBitrate), maximumBitrate) }

    /// The coded size of a screen: within the preset's size and `largest`, the app's limit, each rotated to the
    /// screen's orientation.
    public func size(of screen: PixelSize, largest: PixelSize? = nil) -> PixelSize {
        let size = screen.fitted(within: Self.turned(self.size, like: screen))
        return size.fitted(within: largest.map { Self.turned($0, like: screen) })
    }

    private static func turned(_ size: PixelSize, like screen: PixelSize) -> PixelSize {
        (size.height > size.width) == (screen.height > screen.width)
            ? size : PixelSize(width: size.height, height: size.width)
    }

    /// The average of requirement row 141: width x height x 3 x 4 x 4 bits per second. A screen needs far less, so this
    /// average is used as the upper limit.
    static func highestBitrate(of size: PixelSize) -> Int {
        max(0, size.width) * max(0, size.height) * 3 * 4 * 4
    }
}
