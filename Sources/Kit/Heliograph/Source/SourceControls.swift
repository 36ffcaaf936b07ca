internal import HelioCore
internal import HelioGround
internal import HelioMedia
internal import HelioPicture
internal import HelioSession

/// The requests of other threads to the media thread: the newest of each kind is kept, and a bell wakes the thread.
final class SourceControls: SourceFeed {
    struct Orders: Sendable {
        var stop = false
        var pictures = PictureOrders()
    }

    private let orders: NewestMailbox<Orders>
    private let sound: (any SoundFeed)?

    /// - Parameters:
    ///   - bell: wakes the media thread; called on any thread.
    ///   - sound: the supplier of sound, which has threads of its own; `nil` for none.
    init(bell: @escaping @Sendable () -> Void, sound: (any SoundFeed)? = nil) {
        orders = NewestMailbox(Orders(), bell: bell)
        self.sound = sound
    }

    func stop() { give { $0.stop = true } }
    func setWatched(_ watched: Bool) { give { $0.pictures.isWatched = watched } }
    func requestKeyframe(_ reason: String, of encoding: EncodingID) {
        give { $0.pictures.wishes[encoding, default: PictureWishes()].ask(KeyframeWish(reason)) }
    }

    /// Requests a picture that repairs a viewer's lost frames; an encoder that can't repair codes a keyframe.
    ///
    /// - Parameter frame: the index of the last frame that the viewer has complete. Of several requests the smallest
    ///   index counts: a repair since that frame covers all later losses.
    func requestRepair(since frame: UInt64, reason: String, of encoding: EncodingID) {
        give { $0.pictures.wishes[encoding, default: PictureWishes()].ask(RepairWish(since: frame, reason)) }
    }

    func agree(on agreement: StreamAgreement) {
        give { $0.pictures.agreement = .init(format: agreement.format, largest: agreement.largest) }
    }
    func setBitrate(_ bitrate: Bitrate) { give { $0.pictures.bitrate = bitrate } }
    func setSound(_ demands: [SoundOrigin: SoundDemand]) { sound?.set(demands) }
    func setSecond(_ bitrate: Bitrate?) {
        give { orders in
            orders.pictures.second = .some(bitrate)
            // A later second encode serves other viewers, so their preference starts unset.
            if bitrate == nil { orders.pictures.preferences[.second] = .some(nil) }
        }
    }
    func prefer(_ kind: ContentKind?, of encoding: EncodingID) {
        give { $0.pictures.preferences[encoding] = .some(kind) }
    }
    func selectMonitor(_ id: ScreenMonitor.ID) { give { $0.pictures.monitor = id } }
    func repeatPicture() { give { $0.pictures.repeatsPicture = true } }

    /// Drops the pending requests for a keyframe or a repair, because a keyframe's first slice is about to be sent: it
    /// answers all requests made so far.
    func keyframeBegins(of encoding: EncodingID = .main) {
        orders.update { $0.pictures.wishes[encoding] = nil }
    }

    /// Drops the pending request for a repair that a repair picture answers; its first slice is about to be sent.
    func repairBegins(since frame: UInt64, of encoding: EncodingID = .main) {
        orders.update { $0.pictures.wishes[encoding]?.repairBegins(since: frame) }
    }

    /// Returns the requests since the last call.
    func take() -> Orders { orders.take() }

    private func give(_ change: (inout Orders) -> Void) { orders.give(change) }
}
