internal import DequeModule
package import HelioCore

/// Distinguishes motion from text by the share of the screen that changes, and the rate of changes.
///
/// Motion is a large part of the screen that changes in most pictures for more than a second. All other content is
/// text: typing changes little, pages turn seldom, and pictures that the encoder reports as scrolled don't count.
/// Motion lasts while a video stutters, for example on a busy machine, and becomes text once hardly anything has moved
/// for two seconds. Only a picture can cause that change: a screen at rest keeps its kind.
package struct ContentWatch: Sendable {
    /// The least changed share of the screen that counts as large: a video of 640x360 on 1920x1080 has 0.11.
    private static let largeShare = 0.08
    private static let window = Duration.seconds(1)
    /// The number of large changes in a window that make it motion: a video has 15 and more a second, if all of them
    /// are captured. If the frame rate is limited lower, 60 % of the limit.
    private static let most = 8
    /// The least number of large changes that make motion at any frame rate, and that sustain it.
    private static let least = 4
    /// The time for which motion has to last before the kind changes; it begins when the window holds enough changes.
    private static let risingTime = Duration.seconds(1)
    private static let fallingTime = Duration.seconds(2)

    package private(set) var kind = ContentKind.text
    private var large = Deque<Instant>()
    private var movingSince: Instant?
    private var lastMoving: Instant?

    package init() {}

    /// Processes a live picture.
    ///
    /// - Parameters:
    ///   - share: the part of the screen that has changed since the picture before, 0...1.
    ///   - isScrolled: see `CodedQuality`.
    ///   - framesPerSecond: the present limit of pictures a second.
    package mutating func take(share: Double, isScrolled: Bool, framesPerSecond: Int, now: Instant) {
        while let oldest = large.first, now - oldest > Self.window { large.removeFirst() }
        if share >= Self.largeShare, !isScrolled { large.append(now) }
        if large.count >= Self.least { lastMoving = now }
        if large.count >= min(Self.most, max(Self.least, framesPerSecond * 6 / 10)) {
            let since = movingSince ?? now
            movingSince = since
            if now - since >= Self.risingTime { kind = .motion }
        } else {
            movingSince = nil
            if lastMoving.map({ now - $0 >= Self.fallingTime }) ?? true { kind = .text }
        }
    }
}
