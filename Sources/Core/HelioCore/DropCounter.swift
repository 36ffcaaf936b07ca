/// Counts what was thrown away, by name: every drop in Heliograph has one.
///
/// `Reason` is an enum of strings, one for each way in which a stage loses something on purpose.
package struct DropCounter<Reason: RawRepresentable & CaseIterable & Hashable & Sendable>: Sendable
where Reason.RawValue == String {
    private var counts: [Reason: Int] = [:]

    package init() {}

    package mutating func count(_ reason: Reason, _ n: Int = 1) {
        counts[reason, default: 0] += n
    }

    package subscript(_ reason: Reason) -> Int { counts[reason] ?? 0 }
    package var total: Int { counts.values.reduce(0, +) }

    /// Name and count of each reason that has occurred, ordered by name: for statistics.
    package var named: [(name: String, count: Int)] {
        counts.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }.map { (name: $0.0, count: $0.1) }
    }
}
