internal import HelioCore
internal import HelioSession
private import Synchronization

/// How other threads reach the media thread: a few wishes, the newest of each, and a bell.
final class SourceControls: SourceFeed {
    struct Orders: Sendable {
        var stop = false
        var isWatched: Bool?
        /// Why the next picture has to be a keyframe.
        var keyframe: String?
        var bitrate: Bitrate?
        /// What the viewers agree on.
        var agreement: StreamAgreement?
        /// Code the picture once more, though nothing has changed.
        var repeatPicture = false
        /// The monitor to be captured from now on.
        var monitor: ScreenMonitor.ID?
    }

    private let orders = Mutex(Orders())
    private let bell: @Sendable () -> Void

    /// - Parameter bell: wakes the media thread; called on any thread.
    init(bell: @escaping @Sendable () -> Void) {
        self.bell = bell
    }

    func stop() { give { $0.stop = true } }
    func setWatched(_ watched: Bool) { give { $0.isWatched = watched } }
    func requestKeyframe(_ reason: String) { give { $0.keyframe = reason } }
    func agree(on agreement: StreamAgreement) { give { $0.agreement = agreement } }
    func setBitrate(_ bitrate: Bitrate) { give { $0.bitrate = bitrate } }
    func selectMonitor(_ id: ScreenMonitor.ID) { give { $0.monitor = id } }
    func repeatPicture() { give { $0.repeatPicture = true } }

    /// A keyframe's first slice is about to go out: whoever has asked for one up to now gets this one, whole.
    func keyframeBegins() { orders.withLock { $0.keyframe = nil } }

    /// What has been wished for since the last call.
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
