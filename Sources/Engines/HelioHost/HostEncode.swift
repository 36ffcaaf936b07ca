import HelioCore
import HelioMedia
import HelioSession

/// One encode at a host: what is coded, and what the viewers who are sent it want of it.
struct HostEncode {
    let id: EncodingID
    /// The format that is coded.
    var format: VideoFormat
    var rate: EncoderRate
    var keyframe = KeyframeDemand()
    var repair = RepairDemand()
    /// What the viewers want to keep, as the encoder was told.
    private var preference: ContentKind?
    private var budget = KeyframeBudget()

    init(_ id: EncodingID, format: VideoFormat, rate: EncoderRate) {
        (self.id, self.format, self.rate) = (id, format, rate)
    }

    /// Learns that a picture is on its way to all.
    mutating func heard(_ slice: borrowing EncodedSlice, now: Instant) {
        if slice.isFirst, slice.isKeyframe { keyframe.clear() }
        repair.heard(slice, &budget, now: now)
    }

    /// Takes what the viewers want to keep where the rate does not carry all.
    ///
    /// - Returns: the event that tells the encoder, where that is another wish than before.
    mutating func prefer(_ kind: ContentKind?) -> HostEvent? {
        guard kind != preference else { return nil }
        preference = kind
        return .prefers(kind, of: id)
    }

    /// Takes the next picture that the encoder is to be asked for now.
    ///
    /// - Parameter isWatched: false where nobody is there to wait for one.
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
