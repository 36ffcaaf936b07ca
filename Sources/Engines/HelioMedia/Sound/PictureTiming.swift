package import HelioCore

/// Decides when a picture is shown: at once, or in step with its sound (row 60: the audio clock is master).
///
/// The time it gives is a `FrameScheduler`'s `pts`, of the timed policy with a `cacheLimit` of 1. A picture contains
/// what the ones before it have changed, so one that is shown at once takes the place of those that wait.
///
/// In `auto` only what moves waits: large changes, as `ContentWatch` tells video from text. While a video plays, a
/// picture in which little has changed, a letter that was typed, is shown at once all the same. Nothing waits longer
/// than `longestHold`, and nothing at all while there is no sound.
package struct PictureTiming: Sendable {
    /// The most that a picture waits for its sound.
    package static let longestHold = Duration.milliseconds(200)
    /// The least share of the picture in which something moves: `ContentWatch`'s.
    private static let largeShare = 0.08
    /// Word of the sound that is older than this is none.
    private static let staleAfter = Duration.milliseconds(500)
    /// From so much on, what the sound says now is another time, and no error of measuring.
    private static let step = Duration.milliseconds(40)
    /// The part by which one measurement changes what is known.
    private static let share = 0.1
    /// The most pictures a second that there may be, for `ContentWatch`.
    private static let framesPerSecond = 60

    package var policy: SyncPolicy
    private var watch = ContentWatch()
    /// The time from being captured until being heard, across the clocks.
    private var offset: Duration?
    private var strays = 0
    private var heardAt: Instant?

    package init(policy: SyncPolicy = .auto) {
        self.policy = policy
    }

    /// True where moving pictures wait at present.
    package var isInStep: Bool {
        switch policy {
        case .immediate: false
        case .inStep: offset != nil
        case .auto: offset != nil && watch.kind == .motion
        }
    }

    /// Takes `SoundPlayout.presented`; `nil` where nothing can be heard.
    package mutating func handle(presented: (captured: Instant, heard: Instant)?, now: Instant) {
        guard let presented else {
            // A moment without sound makes nothing jump.
            if heardAt.map({ now - $0 > Self.staleAfter }) ?? true { offset = nil }
            return
        }
        heardAt = now
        let found = presented.heard - presented.captured
        guard let known = offset else {
            offset = found
            return
        }
        let error = (found - known).nanoseconds
        strays = abs(error) > Self.step.nanoseconds ? strays + 1 : 0
        if strays > 2 {
            offset = found
            strays = 0
        } else if strays == 0 {
            offset = known + .nanoseconds(Int64(Double(error) * Self.share))
        }
    }

    /// When to show a picture that is decoded now: `now`, or later.
    ///
    /// - Parameters:
    ///   - captured: when it was captured, on the source's clock; `nil` where the source did not tell.
    ///   - share: the part of the picture that has changed, 0...1.
    package mutating func due(captured: Instant?, share: Double, now: Instant) -> Instant {
        watch.take(share: share, isScrolled: false, framesPerSecond: Self.framesPerSecond, now: now)
        guard let captured, let offset, let heardAt, now - heardAt <= Self.staleAfter else { return now }
        switch policy {
        case .immediate: return now
        case .auto where watch.kind != .motion || share < Self.largeShare: return now
        case .auto, .inStep: return min(max(now, captured + offset), now + Self.longestHold)
        }
    }
}
