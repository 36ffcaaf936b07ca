internal import HelioCore
internal import HelioMedia
internal import HelioSession
private import Synchronization

/// The requests of other threads to the media thread: the newest of each kind, with a bell to wake it.
final class SourceControls: SourceFeed {
    struct Orders: Sendable {
        var stop = false
        var isWatched: Bool?
        /// The pictures that are wanted of each encode.
        var pictures: [EncodingID: Pictures] = [:]
        var bitrate: Bitrate?
        /// The bitrate of the second encode; `nil` in it: none is wanted.
        var second: Bitrate??
        /// What the viewers of each encode want to keep where the bitrate does not carry all.
        var preferences: [EncodingID: ContentKind?] = [:]
        /// The format that the viewers agree on.
        var agreement: StreamAgreement?
        /// True where the picture is to be coded once more, though nothing has changed.
        var repeatPicture = false
        /// The monitor to capture from now on.
        var monitor: ScreenMonitor.ID?
    }

    /// The pictures that are wanted of one encode.
    struct Pictures: Sendable {
        /// The reason why the next picture has to be a keyframe.
        var keyframe: String?
        /// The index of the last frame that everybody has who has lost a later one, and the reason why it is asked.
        var repair: (since: UInt64, reason: String)?
    }

    private let orders = Mutex(Orders())
    private let bell: @Sendable () -> Void
    private let soundWanted: @Sendable ([SoundOrigin: SoundDemand]) -> Void

    /// - Parameters:
    ///   - bell: wakes the media thread; called on any thread.
    ///   - soundWanted: called with the sound that is wanted; that has threads of its own.
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

    /// Asks for a picture that helps a viewer which has lost frames; where the encoder has none, it is a keyframe.
    ///
    /// - Parameter frame: the index of the last frame that the viewer has whole. Of several requests the smallest counts,
    ///   as what repairs since then repairs all losses after it.
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
            // The next one has other viewers.
            if bitrate == nil { orders.preferences[.second] = .some(nil) }
        }
    }
    func prefer(_ kind: ContentKind?, of encoding: EncodingID) { give { $0.preferences[encoding] = .some(kind) } }
    func selectMonitor(_ id: ScreenMonitor.ID) { give { $0.monitor = id } }
    func repeatPicture() { give { $0.repeatPicture = true } }

    /// Drops the pending requests for a keyframe or a repair, as a keyframe's first slice is about to go out: all who
    /// asked up to now get this one, whole.
    func keyframeBegins(of encoding: EncodingID = .main) {
        orders.withLock { $0.pictures[encoding] = nil }
    }

    /// Drops the pending request for a repair that a repair picture, whose first slice is about to go out, answers.
    func repairBegins(since frame: UInt64, of encoding: EncodingID = .main) {
        orders.withLock { orders in
            guard let repair = orders.pictures[encoding]?.repair, repair.since >= frame else { return }
            orders.pictures[encoding]?.repair = nil
        }
    }

    /// Takes the requests since the last call.
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
