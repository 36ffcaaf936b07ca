internal import DequeModule
package import HelioCore

/// Distinguishes motion from text by the share of the screen that changes, and the rate of changes.
///
/// Motion is a large part of the screen that changes in most pictures for more than a second. All other content is
/// text: typing changes little, pages turn seldom, and pictures that the encoder reports as scrolled don't count. The
/// kind remains motion while a video stutters, for example on a busy machine, and becomes text once hardly anything has
/// moved for two seconds. Only a new picture can change the kind: a static screen keeps it.
package struct ContentWatch: Sendable {
    /// The minimum changed share of the screen that counts as large: a video of 640x360 on a screen of 1920x1080 has
    /// 0.11.
    private static let largeShare = 0.08
    private static let window = Duration.seconds(1)
    /// The number of large changes within a window that count as motion: a video has 15 or more a second, if all are
    /// captured. If the limit of the frame rate is low, 60 % of the limit are enough.
    private static let most = 8
    /// The minimum number of large changes within a window that count as motion at any frame rate; the same number is
    /// enough to keep the kind from returning to text.
    private static let least = 4
    /// The time for which motion has to last before the kind changes to motion; it begins when the window holds enough
    /// changes.
    private static let risingTime = Duration.seconds(1)
    private static let fallingTime = Duration.seconds(2)

    package private(set) var kind = ContentKind.text
    private var large = Deque<Instant>()
    private var movingSince: Instant?
    private var lastMoving: Instant?

    package init() {}

    /// Processes a picture of the changing screen, as opposed to a refinement of a static one.
    ///
    /// - Parameters:
    ///   - share: the part of the screen that has changed since the picture before, 0...1.
    ///   - isScrolled: true if most of the picture is coded as motion of earlier content (`CodedQuality`).
    ///   - framesPerSecond: the present frame rate limit.
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
