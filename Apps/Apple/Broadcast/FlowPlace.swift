import HelioBroadcastFlow
import Synchronization

/// A late reference to the flow, for the coder, which is made before it.
final class FlowPlace: Sendable {
    private let kept = Mutex<ExtensionFlow?>(nil)

    func put(_ flow: ExtensionFlow) { kept.withLock { $0 = flow } }
    var flow: ExtensionFlow? { kept.withLock { $0 } }
}
