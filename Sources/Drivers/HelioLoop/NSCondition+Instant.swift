package import Foundation
package import HelioCore

extension NSCondition {
    /// Waits once, with the lock held, for a signal or until the instant; without limit if that is `nil`.
    ///
    /// - Returns: false, without a wait, if the instant has passed.
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
