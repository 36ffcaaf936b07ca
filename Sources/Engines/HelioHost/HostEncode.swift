import HelioCore
import HelioMedia
import HelioSession

/// An encoding of the host's picture: its settings, and the picture requests of the viewers that receive it.
struct HostEncode {
    let id: EncodingID
    /// The format of the encoder's slices, as the encoder last reported it.
    var format: VideoFormat
    var rate: EncoderRate
    var keyframe = KeyframeDemand()
    var repair = RepairDemand()
    /// The preferred kind of content in the last event `prefers`.
    private var preference: ContentKind?
    private var budget = KeyframeBudget()

    init(_ id: EncodingID, format: VideoFormat, rate: EncoderRate) {
        (self.id, self.format, self.rate) = (id, format, rate)
    }

    /// Records a slice that is about to be sent to all viewers. A keyframe or repair picture answers earlier requests.
    mutating func heard(_ slice: borrowing EncodedSlice, now: Instant) {
        if slice.isFirst, slice.isKeyframe { keyframe.clear() }
        repair.heard(slice, &budget, now: now)
    }

    /// Sets the kind of content that the viewers prefer. The encoder optimises for it if the bitrate is too low for
    /// full size and full frame rate.
    ///
    /// - Returns: the event for the encoder; `nil` if the preference has not changed.
    mutating func prefer(_ kind: ContentKind?) -> HostEvent? {
        guard kind != preference else { return nil }
        preference = kind
        return .prefers(kind, of: id)
    }

    /// Returns the next picture request for the encoder, if one is due.
    ///
    /// - Parameter isWatched: false if nobody is watching, so that requests are dropped.
    mutating func pollPicture(isWatched: Bool, now: Instant) -> HostEvent? {
        guard isWatched else {
            keyframe.clear()
            repair.clear()
            return nil
        }
        if let reason = keyframe.poll(&budget, now: now) { return .keyframeNeeded(reason: reason, of: id) }
        if let wish = repair.poll(budget, now: now) {
            return .repairNeeded(since: wish.since, reason: wish.reason, of: id)
        }
        return nil
    }

    var deadline: Deadline? {
        .earliest(.earliest(keyframe.deadline(budget), repair.deadline(budget)), rate.deadline)
    }
}
