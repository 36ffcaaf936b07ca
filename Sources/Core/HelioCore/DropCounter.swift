/// Counts drops by name: every drop in Heliograph has a name.
///
/// `Reason` is an enum of strings, with a case for each way in which a stage drops something on purpose.
package struct DropCounter<Reason: RawRepresentable & CaseIterable & Hashable & Sendable>: Sendable, Hashable
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

/// A part that counts its drops by name, in counters of its own or of the parts that it holds.
///
/// It lists them once, in `allDrops`: `.sum(drops.named("media-"), stream)`. So a counter reaches the statistics by the
/// list of its part alone, if each part is in the list of the part that holds it.
package protocol DropCounting {
    /// Counts of all drops of this part and of the parts that it holds, by name; only counts above 0.
    var allDrops: [String: Int] { get }
}

extension DropCounting {
    /// The counts with a prefix before each name, which identifies the stage.
    package func named(_ prefix: String) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: allDrops.map { (prefix + $0.key, $0.value) })
    }
}

extension DropCounter: DropCounting {
    package var allDrops: [String: Int] { byName }
}

extension Sequence where Element: DropCounting {
    /// The sum of the parts' counts.
    package var allDrops: [String: Int] { reduce(into: [:]) { $0.add($1) } }
}

extension [String: Int]: DropCounting {
    package var allDrops: Self { filter { $0.value != 0 } }

    /// The sum of the parts' counts, by name.
    package static func sum(_ parts: (any DropCounting)?...) -> Self {
        parts.reduce(into: [:]) { $0.add($1) }
    }

    /// Adds the counts of parts.
    package mutating func add(_ parts: (any DropCounting)?...) {
        for part in parts { if let part { merge(part.allDrops, uniquingKeysWith: +) } }
    }
}

/// Statistics with counts of drops by name, to which a driver adds the drops of input that has not reached its engine.
package protocol DropReporting {
    var drops: [String: Int] { get set }
}
