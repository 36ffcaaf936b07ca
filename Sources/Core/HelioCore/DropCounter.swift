/// Counts drops by name: every drop in Heliograph has a name.
///
/// `Reason` is an enum of strings, with a case for each way in which a stage drops something on purpose.
package struct DropCounter<Reason: RawRepresentable & CaseIterable & Hashable & Sendable>: Sendable
where Reason.RawValue == String {
    private var counts: [Reason: Int] = [:]

    package init() {}

    package mutating func count(_ reason: Reason, _ n: Int = 1) {
        if n != 0 { counts[reason, default: 0] += n }
    }

    /// Adds the counts of another stage's counter.
    package mutating func add(_ other: Self) { counts.merge(other.counts, uniquingKeysWith: +) }

    package subscript(_ reason: Reason) -> Int { counts[reason] ?? 0 }
    package var total: Int { counts.values.reduce(0, +) }

    /// The counts by name of all reasons that have occurred, for statistics.
    package var byName: [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }
}

extension [String: Int] {
    /// Adds a stage's counts, for statistics.
    ///
    /// - Parameter prefix: the prefix of the names, which identifies the stage.
    package mutating func add<Reason>(_ counter: DropCounter<Reason>?, as prefix: String = "") {
        if let counter { add(counter.byName, as: prefix) }
    }

    /// Adds the counts of several stages, for statistics.
    package mutating func add(_ counts: Self, as prefix: String = "") {
        for (name, count) in counts { self[prefix + name, default: 0] += count }
    }
}

/// Statistics with counts of drops by name, to which a driver adds the drops of input that has not reached its engine.
package protocol DropReporting {
    var drops: [String: Int] { get set }
}
