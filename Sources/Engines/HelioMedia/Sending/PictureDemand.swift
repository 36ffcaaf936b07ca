package import HelioCore

/// What those who get plain RTP want of the one encoder, and how often they may: keyframes, and pictures of a screen
/// that rests.
package struct PictureDemand: Sendable {
    /// Encoders are asked for a keyframe at most this often,
    private static let keyframeSpacing = Duration.milliseconds(100)
    /// and asked again when none has come for so long.
    private static let keyframePatience = Duration.milliseconds(500)
    /// Where nothing changes, there is still a picture this often.
    private static let leastRate = Duration.milliseconds(200)

    private var keyframeAsked: Instant?
    /// One was asked for and has not come yet.
    private var owesKeyframe = false
    private var lastPicture: Instant

    package init(now: Instant) { lastPicture = now }

    /// The encoder begins to work, or rests: what it owed before it owes no more.
    package mutating func begin(now: Instant) {
        owesKeyframe = false
        lastPicture = now
    }

    package mutating func heard(_ slice: borrowing EncodedSlice, now: Instant) {
        if slice.isKeyframe { owesKeyframe = false }
        if slice.isLast { lastPicture = now }
    }

    /// Whether the encoder is to be asked for a keyframe now, for somebody who wants one.
    package mutating func takesKeyframeDemand(now: Instant) -> Bool {
        guard nextKeyframeDemand.map({ now >= $0 }) ?? true else { return false }
        keyframeAsked = now
        owesKeyframe = true
        return true
    }

    /// Whether the picture has rested for so long that it is to be coded once more.
    package mutating func takesFrameDemand(now: Instant) -> Bool {
        guard now - lastPicture >= Self.leastRate else { return false }
        lastPicture = now
        return true
    }

    /// `nil`: at once.
    private var nextKeyframeDemand: Instant? {
        keyframeAsked.map { $0 + (owesKeyframe ? Self.keyframePatience : Self.keyframeSpacing) }
    }

    /// - Parameter isShown: whether somebody gets pictures.
    package func deadline(wantsKeyframe: Bool, isShown: Bool) -> Deadline? {
        let keyframe =
            wantsKeyframe ? Deadline(at: nextKeyframeDemand ?? lastPicture, why: "a keyframe is owed") : nil
        let still = isShown ? Deadline(at: lastPicture + Self.leastRate, why: "still picture") : nil
        return .earliest(keyframe, still)
    }
}
