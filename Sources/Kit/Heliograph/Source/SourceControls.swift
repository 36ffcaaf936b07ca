internal import HelioCore
internal import HelioGround
internal import HelioMedia
internal import HelioPicture
internal import HelioSession

/// The requests of other threads to the media thread. The newest request of each kind is kept, and `bell` wakes the
/// thread.
final class SourceControls: SourceFeed {
    struct Orders: Sendable {
        var stop = false
        var pictures = PictureOrders()
    }

    private let orders: NewestMailbox<Orders>
    private let sound: (any SoundFeed)?

    /// - Parameters:
    ///   - bell: wakes the media thread; called on any thread.
    ///   - sound: the supplier of sound, which receives the sound demands; `nil` for none.
    init(bell: @escaping @Sendable () -> Void, sound: (any SoundFeed)? = nil) {
        orders = NewestMailbox(Orders(), bell: bell)
        self.sound = sound
    }

    func stop() { give { $0.stop = true } }
    func setWatched(_ watched: Bool) { give { $0.pictures.isWatched = watched } }
    func requestKeyframe(_ reason: String, of encoding: EncodingID) {
        give { $0.pictures.wishes[encoding, default: PictureWishes()].ask(KeyframeWish(reason)) }
    }

    /// Requests a repair picture for a viewer that has lost frames; an encoder without repair pictures encodes a
    /// keyframe.
    ///
    /// - Parameter frame: the index of the last frame that the viewer has completely received. Of several requests the
    ///   smallest index counts, as a repair since that frame covers all later losses.
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
            // A later second encoding serves other viewers, so its preference starts unset.
            if bitrate == nil { orders.pictures.preferences[.second] = .some(nil) }
        }
    }
    func prefer(_ kind: ContentKind?, of encoding: EncodingID) {
        give { $0.pictures.preferences[encoding] = .some(kind) }
    }
    func selectMonitor(_ id: ScreenMonitor.ID) { give { $0.pictures.monitor = id } }
    func repeatPicture() { give { $0.pictures.repeatsPicture = true } }

    /// Removes the pending requests for a keyframe or a repair. Called when a keyframe's first slice is about to be
    /// sent, as that keyframe answers all requests made so far.
    func keyframeBegins(of encoding: EncodingID = .main) {
        orders.update { $0.pictures.wishes[encoding] = nil }
    }

    /// Removes the pending repair request that a repair picture answers. Called when the picture's first slice is about
    /// to be sent.
    func repairBegins(since frame: UInt64, of encoding: EncodingID = .main) {
        orders.update { $0.pictures.wishes[encoding]?.repairBegins(since: frame) }
    }

    /// Returns the requests made since the last call.
    func take() -> Orders { orders.take() }

    private func give(_ change: (inout Orders) -> Void) { orders.give(change) }
}
