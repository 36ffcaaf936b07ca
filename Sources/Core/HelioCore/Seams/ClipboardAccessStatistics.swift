/// Counts of a machine's clipboard; never content.
package struct ClipboardAccessStatistics: Sendable, DropReporting {
    /// The number of reported changes.
    package var changes = 0
    /// The number of reads that returned content.
    package var reads = 0
    package var bytesRead = 0
    /// The number of pastes of this machine's programs that got content.
    package var pastes = 0
    package var bytesPasted = 0
    /// Drops, counted by reason.
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
