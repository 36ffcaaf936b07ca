internal import HelioCore
internal import HelioMedia
internal import HelioSession
private import Synchronization

/// The requests of other threads to the media thread: the newest of each kind is kept, and a bell wakes the thread.
final class SourceControls: SourceFeed {
    struct Orders: Sendable {
        var stop = false
        var isWatched: Bool?
        /// The requested pictures of each encode.
        var pictures: [EncodingID: Pictures] = [:]
        var bitrate: Bitrate?
        /// A change of the second encode's bitrate; an inner `nil` ends that encode.
        var second: Bitrate??
        /// What the viewers of each encode prefer to keep when the bitrate does not carry both sharpness and motion.
        var preferences: [EncodingID: ContentKind?] = [:]
        /// The format that the viewers have agreed on.
        var agreement: StreamAgreement?
        /// True if the picture has to be coded once more, even without a change.
        var repeatPicture = false
        /// The monitor to capture from now on.
        var monitor: ScreenMonitor.ID?
    }

    /// The requested pictures of one encode.
    struct Pictures: Sendable {
        /// The reason why the next picture has to be a keyframe; `nil` if it need not be.
        var keyframe: String?
        /// The request for a repair: the index of the last frame that all viewers with losses have, and the reason.
        var repair: (since: UInt64, reason: String)?
    }

    private let orders = Mutex(Orders())
    private let bell: @Sendable () -> Void
    private let soundWanted: @Sendable ([SoundOrigin: SoundDemand]) -> Void

    /// - Parameters:
    ///   - bell: wakes the media thread; called on any thread.
    ///   - soundWanted: called with the wanted sound, which is captured on threads of its own.
    init(
        bell: @escaping @Sendable () -> Void,
        soundWanted: @escaping @Sendable ([SoundOrigin: SoundDemand]) -> Void = { _ in }
    ) {
        self.bell = bell
        self.soundWanted = soundWanted
    }

    func stop() { give { $0.stop = true } }
    func setWatched(_ watched: Bool) { give { $0.isWatched = watched } }
    func requestKeyframe(_ reason: String, of encoding: EncodingID) {
        give { $0.pictures[encoding, default: Pictures()].keyframe = reason }
    }

    /// Requests a picture that repairs a viewer's lost frames; an encoder that can't repair codes a keyframe.
    ///
    /// - Parameter frame: the index of the last frame that the viewer has complete. Of several requests the smallest
    ///   index counts: a repair since that frame covers all later losses.
    func requestRepair(since frame: UInt64, reason: String, of encoding: EncodingID) {
        give { orders in
            guard frame <= orders.pictures[encoding]?.repair?.since ?? .max else { return }
            orders.pictures[encoding, default: Pictures()].repair = (frame, reason)
        }
    }

    func agree(on agreement: StreamAgreement) { give { $0.agreement = agreement } }
    func setBitrate(_ bitrate: Bitrate) { give { $0.bitrate = bitrate } }
    func setSound(_ demands: [SoundOrigin: SoundDemand]) { soundWanted(demands) }
    func setSecond(_ bitrate: Bitrate?) {
        give { orders in
            orders.second = .some(bitrate)
            // A later second encode has other viewers, so their preference does not carry over.
            if bitrate == nil { orders.preferences[.second] = .some(nil) }
        }
    }
    func prefer(_ kind: ContentKind?, of encoding: EncodingID) { give { $0.preferences[encoding] = .some(kind) } }
    func selectMonitor(_ id: ScreenMonitor.ID) { give { $0.monitor = id } }
    func repeatPicture() { give { $0.repeatPicture = true } }

    /// Drops the pending requests for a keyframe or a repair, because a keyframe's first slice is about to be sent: it
    /// answers all requests made so far.
    func keyframeBegins(of encoding: EncodingID = .main) {
        orders.withLock { $0.pictures[encoding] = nil }
    }

    /// Drops the pending request for a repair that a repair picture answers; its first slice is about to be sent.
    func repairBegins(since frame: UInt64, of encoding: EncodingID = .main) {
        orders.withLock { orders in
            guard let repair = orders.pictures[encoding]?.repair, repair.since >= frame else { return }
            orders.pictures[encoding]?.repair = nil
        }
    }

    /// Returns the requests since the last call.
    func take() -> Orders {
        orders.withLock { waiting in
            defer { waiting = Orders() }
            return waiting
        }
    }

    private func give(_ change: (inout Orders) -> Void) {
        orders.withLock { change(&$0) }
        bell()
    }
}
