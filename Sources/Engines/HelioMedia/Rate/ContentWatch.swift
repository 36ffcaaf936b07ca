internal import DequeModule
package import HelioCore

/// Tells motion from text by how much of the screen changes, and how often.
///
/// Motion is a large part of the screen that changes in most pictures for more than a second. All else is text: typing
/// changes little, turning pages comes seldom, and a scrolled picture that the encoder tells as such counts for
/// nothing. It stays motion where a video stutters, on a busy machine say, and is text again once hardly anything has
/// moved for two seconds, which a picture has to show: a resting screen changes its kind no more.
package struct ContentWatch: Sendable {
    /// The least share of the screen in which something moves: a video of 640x360 on 1920x1080 has 0.11.
    private static let largeShare = 0.08
    private static let window = Duration.seconds(1)
    /// The large changes in a window that are motion: a video has 15 and more a second, if all of them are captured.
    /// Where fewer pictures are allowed, most of them.
    private static let most = 8
    /// The large changes in a window that are motion at any limit, and that keep it up.
    private static let least = 4
    /// The time for which it has to move. It begins when the window holds enough changes.
    private static let risingTime = Duration.seconds(1)
    private static let fallingTime = Duration.seconds(2)

    package private(set) var kind = ContentKind.text
    private var large = Deque<Instant>()
    private var movingSince: Instant?
    private var lastMoving: Instant?

    package init() {}

    /// Takes a live picture.
    ///
    /// - Parameters:
    ///   - share: the part of the screen that has changed since the picture before, 0...1.
    ///   - isScrolled: see `CodedQuality`.
    ///   - framesPerSecond: the most pictures a second that there may be.
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
