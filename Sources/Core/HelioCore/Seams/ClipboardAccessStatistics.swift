/// Counts of a machine's clipboard; never content.
package struct ClipboardAccessStatistics: Sendable, DropReporting {
    /// Changes that were reported.
    package var changes = 0
    /// Reads that gave content.
    package var reads = 0
    package var bytesRead = 0
    /// Pastes of this machine's programs that were given content.
    package var pastes = 0
    package var bytesPasted = 0
    /// What was not done, by name.
    package var drops: [String: Int] = [:]

    package init() {}
}

extension ClipboardAccessStatistics {
    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.changes += b.changes
        sum.reads += b.reads
        sum.bytesRead += b.bytesRead
        sum.pastes += b.pastes
        sum.bytesPasted += b.bytesPasted
        sum.drops.merge(b.drops) { $0 + $1 }
        return sum
    }
}
