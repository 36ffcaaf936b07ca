package import HelioCore

/// Limits what the receivers of plain RTP demand of the one encoder: keyframes, and pictures of a screen that rests.
package struct PictureDemand: Sendable {
    /// The least time between two requests to an encoder for a keyframe.
    private static let keyframeSpacing = Duration.milliseconds(100)
    /// The wait after which the request is repeated when no keyframe has come.
    private static let keyframePatience = Duration.milliseconds(500)
    /// The longest time between two pictures where nothing changes.
    private static let leastRate = Duration.milliseconds(200)

    private var keyframeAsked: Instant?
    /// True where a keyframe was requested and has not come yet.
    private var owesKeyframe = false
    private var lastPicture: Instant

    package init(now: Instant) { lastPicture = now }

    /// Begins anew as the encoder starts or rests: what it owed before it owes no more.
    package mutating func begin(now: Instant) {
        owesKeyframe = false
        lastPicture = now
    }

    package mutating func heard(_ slice: borrowing EncodedSlice, now: Instant) {
        if slice.isKeyframe { owesKeyframe = false }
        if slice.isLast { lastPicture = now }
    }

    /// Returns whether the encoder is to be asked for a keyframe now, and notes that it is; called where somebody wants
    /// one.
    package mutating func takesKeyframeDemand(now: Instant) -> Bool {
        guard nextKeyframeDemand.map({ now >= $0 }) ?? true else { return false }
        keyframeAsked = now
        owesKeyframe = true
        return true
    }

    /// Returns whether the picture has rested for so long that it is to be coded once more, and notes that it is.
    package mutating func takesFrameDemand(now: Instant) -> Bool {
        guard now - lastPicture >= Self.leastRate else { return false }
        lastPicture = now
        return true
    }

    /// The time of the next request for a keyframe; `nil`: at once.
    private var nextKeyframeDemand: Instant? {
        keyframeAsked.map { $0 + (owesKeyframe ? Self.keyframePatience : Self.keyframeSpacing) }
    }

    /// - Parameter isShown: true where somebody receives pictures.
    package func deadline(wantsKeyframe: Bool, isShown: Bool) -> Deadline? {
        let keyframe =
            wantsKeyframe ? Deadline(at: nextKeyframeDemand ?? lastPicture, why: "a keyframe is owed") : nil
        let still = isShown ? Deadline(at: lastPicture + Self.leastRate, why: "still picture") : nil
        return .earliest(keyframe, still)
    }
}
