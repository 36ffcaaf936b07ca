package import HelioCore

/// Decides when to notify a viewer's user that the host has read the viewer's clipboard: at the first read, and then at
/// most once in ten minutes.
package struct ClipboardReadNotice {
    package static let interval = Duration.seconds(600)

    private var seen = 0
    private var told: Instant?

    package init() {}

    /// Returns true if the user is to be notified now.
    ///
    /// - Parameter reads: the number of contents that the host has read in the current session; each session counts
    ///   from 0.
    package mutating func isDue(reads: Int, now: Instant) -> Bool {
        let hasRead = reads > seen
        seen = reads
        guard hasRead, told.map({ now - $0 >= Self.interval }) ?? true else { return false }
        told = now
        return true
    }
}
