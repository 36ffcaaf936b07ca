package import HelioCore

/// Limits how often plain RTP receivers make their shared encoder produce keyframes, or encode an unchanged screen
/// again.
package struct PictureDemand: Sendable {
    /// The minimum time between two keyframe requests to an encoder.
    private static let keyframeSpacing = Duration.milliseconds(100)
    /// The time to wait for a requested keyframe before the request is repeated.
    private static let keyframePatience = Duration.milliseconds(500)
    /// The longest time between two pictures while nothing changes.
    private static let leastRate = Duration.milliseconds(200)

    private var keyframeAsked: Instant?
    /// True if a keyframe was requested and has not been encoded yet.
    private var owesKeyframe = false
    private var lastPicture: Instant

    package init(now: Instant) { lastPicture = now }

    /// Resets the state as the encoder starts or pauses: earlier requests are void.
    package mutating func begin(now: Instant) {
        owesKeyframe = false
        lastPicture = now
    }

    package mutating func heard(_ slice: borrowing EncodedSlice, now: Instant) {
        if slice.isKeyframe { owesKeyframe = false }
        if slice.isLast { lastPicture = now }
    }

    /// Returns whether to request a keyframe from the encoder now, and records that request; called while a receiver
    /// needs one.
    package mutating func takesKeyframeDemand(now: Instant) -> Bool {
        guard nextKeyframeDemand.map({ now >= $0 }) ?? true else { return false }
        keyframeAsked = now
        owesKeyframe = true
        return true
    }

    /// Returns whether no picture was encoded for so long that the present one is to be encoded again, and records the
    /// new picture.
    package mutating func takesFrameDemand(now: Instant) -> Bool {
        guard now - lastPicture >= Self.leastRate else { return false }
        lastPicture = now
        return true
    }

    /// The time of the next keyframe request; `nil`: at once.
    private var nextKeyframeDemand: Instant? {
        keyframeAsked.map { $0 + (owesKeyframe ? Self.keyframePatience : Self.keyframeSpacing) }
    }

    /// - Parameter isShown: true while a receiver is playing.
    package func deadline(wantsKeyframe: Bool, isShown: Bool) -> Deadline? {
        let keyframe =
            wantsKeyframe ? Deadline(at: nextKeyframeDemand ?? lastPicture, why: "a keyframe is owed") : nil
        let still = isShown ? Deadline(at: lastPicture + Self.leastRate, why: "still picture") : nil
        return .earliest(keyframe, still)
    }
}
