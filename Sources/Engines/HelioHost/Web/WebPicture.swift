import HelioCore
import HelioMedia
import HelioSession

/// The picture stream to one browser: which slices are sent, when the stream pauses, and when a keyframe is requested.
struct WebPicture {
    /// The delay of a pause after the picture is no longer wanted. Without the delay, each of several quick changes
    /// would cost a keyframe, which is sent to other viewers, too.
    private static let pauseDelay = Duration.seconds(1)

    private(set) var framesSent = 0
    /// True if the viewer is "on refresh": only occasional keyframes are sent, as the path is far slower than the
    /// others'.
    private(set) var isOnRefresh = false
    /// True while the viewer's page is not visible: the viewer is then sent sound, but no picture.
    private(set) var isPaused = false
    /// The time at which the picture is to be paused; `nil` if no pause is pending.
    private var pauseDue: Instant?
    private var gate = FrameGate()
    private var turns = PictureTurns()
    /// The repair request that waits until a congested path has room; tried again at `turns.repairHeld`.
    private var heldRepair: RepairWish?

    // MARK: Slices

    /// Returns whether to send this viewer the slice: it gets whole frames, starting at a keyframe.
    mutating func takes(_ slice: EncodedSlice, now: Instant) -> Bool {
        guard gate.admits(frameIndex: slice.frameIndex, isFirst: slice.isFirst, isKeyframe: slice.isKeyframe) else {
            // The viewer lacks the first slices of this frame, so it lacks a reference for later frames, too.
            gate.close()
            return false
        }
        if slice.isKeyframe {
            turns.keyframeHeld = nil
            forgetRepair()
        } else if let since = slice.repairsSince, let held = heldRepair, since <= held.since {
            forgetRepair()
        }
        if slice.isLast {
            framesSent += 1
            if isOnRefresh {
                gate.close()
                turns.took(now: now)
            }
        }
        return true
    }

    /// Switches to another encoding at its next keyframe.
    mutating func changeEncode() {
        // The frames of another encoding have other numbers.
        forgetRepair()
        gate.close()
    }

    /// Sets whether only occasional keyframes are sent. To be called between two frames only.
    mutating func setOnRefresh(_ isOn: Bool, now: Instant) {
        isOnRefresh = isOn
        if isOn { turns.took(now: now) } else { turns.forget() }
        forgetRepair()
        gate.close()
    }

    // MARK: Pausing

    /// Sets whether the picture is wanted. If it was paused, it resumes at once, and the keyframe request for that is
    /// returned. If it is no longer wanted, it pauses after `pauseDelay`.
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
        forgetRepair()
        gate.close()
    }

    // MARK: Keyframes and repair pictures

    /// Returns the keyframe request to make after a loss; `nil` if none is needed, or the path is congested.
    ///
    /// - Parameter overfull: the time at which to check a congested path again; `nil`: the path is not congested.
    mutating func lost(overfull: Deadline?) -> KeyframeWish? {
        // A viewer on refresh gets its next keyframe anyway.
        isPaused || isOnRefresh ? nil : ask(overfull: overfull)
    }

    private mutating func ask(overfull: Deadline?) -> KeyframeWish? {
        turns.keyframeHeld = overfull
        return overfull == nil ? KeyframeWish("a browser lost the picture") : nil
    }

    /// Returns the request for a repair picture to make after a loss; `nil` if none is needed, or the path is
    /// congested. The gate stays open, as the peer connection itself drops the frames before the repair picture.
    ///
    /// - Parameter overfull: the time at which to check a congested path again; `nil`: the path is not congested.
    mutating func lost(_ wish: RepairWish, overfull: Deadline?) -> RepairWish? {
        forgetRepair()
        // A keyframe follows in any case.
        if isPaused || isOnRefresh || gate.awaitsKeyframe { return nil }
        guard let overfull else { return wish }
        (heldRepair, turns.repairHeld) = (wish, overfull)
        return nil
    }

    private mutating func forgetRepair() { (heldRepair, turns.repairHeld) = (nil, nil) }

    var deadline: Deadline? {
        .earliest(
            .earliest(turns.next, pauseDue.map { Deadline(at: $0, why: "a page is not seen any more") }),
            .earliest(turns.keyframeHeld, turns.repairHeld))
    }

    /// Pauses the picture if that is due, and returns the requests to make now.
    ///
    /// - Parameter overfull: the time at which to check a congested path again; `nil`: the path is not congested.
    mutating func tick(overfull: Deadline?, now: Instant) -> PictureWishes {
        var wishes = PictureWishes()
        if let due = turns.next, now >= due.at {
            turns.took(now: now)
            if !isPaused { wishes.ask(PictureTurns.wish) }
        }
        if let due = pauseDue, now >= due { pause() }
        if let held = turns.keyframeHeld, now >= held.at, let wish = ask(overfull: overfull) { wishes.ask(wish) }
        if let held = turns.repairHeld, now >= held.at, let wish = heldRepair,
            let wish = lost(wish, overfull: overfull)
        {
            wishes.ask(wish)
        }
        return wishes
    }
}
