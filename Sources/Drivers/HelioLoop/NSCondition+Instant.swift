package import Foundation
package import HelioCore

extension NSCondition {
    /// Waits once, with the lock held: for a signal, or until then; `nil`: for a signal alone.
    ///
    /// - Returns: false where it is time already, and nothing was waited for.
    package func wait(until: Instant?, now: Instant) -> Bool {
        guard let until else {
            wait()
            return true
        }
        let left = until - now
        guard left > .zero else { return false }
        _ = wait(until: Date(timeIntervalSinceNow: left.inSeconds))
        return true
    }
}
