import HelioCore
import HelioMedia
import HelioSession

/// The picture of one browser's viewer: which slices it is sent, when it pauses, and when it requests keyframes.
struct WebPicture {
    /// The time for which the picture continues after it is no longer wanted: frequent changes would otherwise cost a
    /// keyframe each time, which others pay for, too.
    private static let pauseDelay = Duration.seconds(1)

    private(set) var framesSent = 0
    /// True if only a keyframe now and then is sent, as the path is far slower than others'.
    private(set) var isOnRefresh = false
    /// True while the viewer's page is not visible: it is sent no picture, but sound.
    private(set) var isPaused = false
    /// When the picture is to be paused; `nil` if no pause is pending.
    private var pauseDue: Instant?
    private var gate = FrameGate()
    private var turns = PictureTurns()

    // MARK: Slices

    /// Returns whether to send this viewer the slice: it gets whole frames, starting at a keyframe.
    mutating func takes(_ slice: EncodedSlice, now: Instant) -> Bool {
        guard gate.admits(frameIndex: slice.frameIndex, isFirst: slice.isFirst, isKeyframe: slice.isKeyframe) else {
            // Without the beginning of a frame, the viewer lacks a reference.
            gate.close()
            return false
        }
        if slice.isKeyframe { turns.keyframeHeld = nil }
        if slice.isLast {
            framesSent += 1
            if isOnRefresh {
                gate.close()
                turns.took(now: now)
            }
        }
        return true
    }

    /// Switches to another encode, from its next keyframe on.
    mutating func changeEncode() { gate.close() }

    /// Sets whether only keyframes are sent, one now and then. Called between two frames.
    mutating func setOnRefresh(_ isOn: Bool, now: Instant) {
        isOnRefresh = isOn
        if isOn { turns.took(now: now) } else { turns.forget() }
        gate.close()
    }

    // MARK: Pausing

    /// Handles whether the picture is wanted. It resumes at once, with the keyframe that is returned; it pauses after
    /// `pauseDelay`.
    mutating func set(isWanted: Bool, now: Instant) -> KeyframeWish? {
        guard isWanted else {
            if !isPaused, pauseDue == nil { pauseDue = now + Self.pauseDelay }
            return nil
        }
        pauseDue = nil
        guard isPaused else { return nil }
        isPaused = false
        return KeyframeWish("a browser's page is seen again", isJoin: true)
    }

    private mutating func pause() {
        pauseDue = nil
        isPaused = true
        turns.keyframeHeld = nil
        gate.close()
    }

    // MARK: Keyframes

    /// Returns the keyframe to request after a loss; `nil` if none is needed, or the path has no room yet.
    ///
    /// - Parameter overfull: when the path may have room again; `nil`: it has room.
    mutating func lost(overfull: Deadline?) -> KeyframeWish? {
        // A viewer on refresh gets its next keyframe anyway.
        isPaused || isOnRefresh ? nil : ask(overfull: overfull)
    }

    private mutating func ask(overfull: Deadline?) -> KeyframeWish? {
        turns.keyframeHeld = overfull
        return overfull == nil ? KeyframeWish("a browser lost the picture") : nil
    }

    var deadline: Deadline? {
        .earliest(
            turns.next,
            .earliest(pauseDue.map { Deadline(at: $0, why: "a page is not seen any more") }, turns.keyframeHeld))
    }

    /// Pauses if that is due, and returns the keyframes to request now.
    ///
    /// - Parameter overfull: when the path may have room again; `nil`: it has room.
    mutating func tick(overfull: Deadline?, now: Instant) -> [KeyframeWish] {
        var wishes: [KeyframeWish] = []
        if let due = turns.next, now >= due.at {
            turns.took(now: now)
            if !isPaused { wishes.append(PictureTurns.wish) }
        }
        if let due = pauseDue, now >= due { pause() }
        if let held = turns.keyframeHeld, now >= held.at, let wish = ask(overfull: overfull) { wishes.append(wish) }
        return wishes
    }
}
