internal import HelioRelayDriver
private import Synchronization

/// The encoder of an extension, as the session sees it: passes on that a keyframe is needed.
///
/// Size and rates are the extension's own: it is not told what viewers agree on.
final class RelayedEncoder: VideoSourcePlugin {
    private struct Weak {
        weak var server: RelayServer?
    }

    private let state = Mutex(Weak())

    func begin(_ server: RelayServer) { state.withLock { $0.server = server } }

    func keyframeNeeded(reason _: String) { state.withLock { $0.server }?.requestKeyframe() }

    func bitrateSuggested(_: Int) {}
    func attributesChanged(_: MediaAttributes) {}
}
