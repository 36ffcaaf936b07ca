import HelioCore

/// Measures whether this machine encodes pictures as fast as the screen changes: the time from a picture's capture to
/// the end of its encoding, and the time from one picture to the next. Only pictures of which at least half has changed
/// count, because smaller changes say little about the whole picture.
struct EncodingLoad: Sendable {
    /// The number of pictures whose average is kept: later ones count an eighth.
    private static let span = 8
    /// The time without such a picture after which the measurement starts anew.
    private static let longestPause = Duration.milliseconds(500)
    /// Encoding saturates the machine if it takes at least this share of the time, and fewer pictures than this share
    /// of the wanted frame rate are encoded.
    private static let (busyShare, slowShare) = (0.85, 0.95)
    /// The share of the time that encoding may take at a rung that is stepped to.
    private static let carriedShare = 0.85
    /// The share of a picture's time that does not shrink with its size: the screen is captured in its own size.
    private static let fixedShare = 0.4

    /// The number of pictures since the measurement began.
    private(set) var pictures = 0
    /// The averages, in seconds: the time that a picture takes, and the time from one to the next.
    private var work = 0.0
    private var interval = 0.0
    private var last: Instant?

    /// Adds a picture.
    ///
    /// - Parameter work: the time from its capture to the end of its encoding.
    mutating func take(_ work: Duration, captured: Instant) {
        defer { last = captured }
        guard let last, captured - last <= Self.longestPause else {
            self = EncodingLoad()
            return
        }
        pictures += 1
        let weight = 1 / Double(min(pictures, Self.span))
        self.work += (work.inSeconds - self.work) * weight
        interval += ((captured - last).inSeconds - interval) * weight
    }

    /// Returns true if encoding takes up all of the time, and a higher frame rate is wanted than is reached.
    func isSaturated(at framesPerSecond: Int, after pictures: Int) -> Bool {
        self.pictures >= pictures && work >= interval * Self.busyShare
            && interval * Double(framesPerSecond) * Self.slowShare > 1
    }

    /// Returns true if this machine can encode pictures of another size at a frame rate.
    ///
    /// - Parameter size: the other size's number of pixels, as a multiple of the present one.
    func carries(_ framesPerSecond: Int, size: Double) -> Bool {
        let share = size < 1 ? Self.fixedShare + (1 - Self.fixedShare) * size : size
        return work * share * Double(framesPerSecond) <= Self.carriedShare
    }
}
