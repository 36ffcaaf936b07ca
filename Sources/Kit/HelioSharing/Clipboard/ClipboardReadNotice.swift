package import HelioCore

/// Decides when the user at a viewer is told that the host has read what was copied there: at the first time, and then
/// no more than once in ten minutes.
package struct ClipboardReadNotice {
    package static let interval = Duration.seconds(600)

    private var seen = 0
    private var told: Instant?

    package init() {}

    /// Returns true if the user is to be told now.
    ///
    /// - Parameter reads: the contents that the host has read in the present session, which counts from 0.
    package mutating func isDue(reads: Int, now: Instant) -> Bool {
        let hasRead = reads > seen
        seen = reads
        guard hasRead, told.map({ now - $0 >= Self.interval }) ?? true else { return false }
        told = now
        return true
    }
}
