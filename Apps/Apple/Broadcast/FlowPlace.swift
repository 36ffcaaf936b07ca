import HelioBroadcastFlow
import Synchronization

/// The flow, for the coder that it is made with.
final class FlowPlace: Sendable {
    private let kept = Mutex<ExtensionFlow?>(nil)

    func put(_ flow: ExtensionFlow) { kept.withLock { $0 = flow } }
    var flow: ExtensionFlow? { kept.withLock { $0 } }
}
