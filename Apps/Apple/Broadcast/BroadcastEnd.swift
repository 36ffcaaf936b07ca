import Foundation
import HelioAppModels
import Synchronization

/// Ends the broadcast with a message for the person.
final class BroadcastEnd: Sendable {
    private let kept = Mutex<(@Sendable (any Error) -> Void)?>(nil)

    /// Reports the end to the system; set once the handler exists.
    var report: (@Sendable (any Error) -> Void)? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    func fail(_ reason: Phrase) {
        let error = NSError(
            domain: "org.heliograph.broadcast", code: 1, userInfo: [NSLocalizedDescriptionKey: reason.localized])
        report?(error)
    }
}
