package import HelioCore
internal import HelioMedia

/// Decides when a picture is shown: at once, or in sync with its sound (requirement row 60: the audio clock is master).
///
/// The result is a `FrameScheduler`'s `pts`, for the timed policy with a `cacheLimit` of 1. A picture contains the
/// changes of all earlier pictures, so a picture shown at once replaces those that wait.
///
/// The policy `auto` delays only moving pictures: pictures with large changes, by the threshold with which
/// `ContentWatch` distinguishes video from text. While a video plays, a picture with a small change, such as a typed
/// letter, is still shown at once. No picture waits longer than `longestHold`, and none while there is no sound.
package struct PictureTiming: Sendable {
    /// The longest time that a picture waits for its sound.
    package static let longestHold = Duration.milliseconds(200)
    /// The minimum changed share of a picture that counts as motion; equals the threshold of `ContentWatch`.
    private static let largeShare = 0.08
    /// The age at which the offset of the sound expires.
    private static let staleAfter = Duration.milliseconds(500)
    /// The deviation beyond which a new measurement is not noise, but shows that the sound's offset has changed.
    private static let step = Duration.milliseconds(40)
    /// The weight of a new measurement in the moving average of `offset`.
    private static let share = 0.1
    /// The frame rate limit passed to `ContentWatch`, in frames per second.
    private static let framesPerSecond = 60

    package var policy: SyncPolicy
    private var watch = ContentWatch()
    /// The time of the sound's playback on this machine's clock minus its capture time on the source's clock; `nil` if
    /// it is unknown.
    private var offset: Duration?
    private var strays = 0
    private var heardAt: Instant?

    package init(policy: SyncPolicy = .auto) {
        self.policy = policy
    }

    /// True if moving pictures wait for their sound at present.
    package var isInStep: Bool {
        switch policy {
        case .immediate: false
        case .inStep: offset != nil
        case .auto: offset != nil && watch.kind == .motion
        }
    }

    /// Updates the offset with `SoundPlayout.presented`, which is `nil` if no sound is heard.
    package mutating func handle(presented: (captured: Instant, heard: Instant)?, now: Instant) {
        guard let presented else {
            // Keep the offset in a short pause of the sound, so that pictures don't jump.
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

    /// The time to show a picture that is decoded now: `now`, or later.
    ///
    /// - Parameters:
    ///   - captured: the capture time on the source's clock; `nil` if it is unknown.
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
