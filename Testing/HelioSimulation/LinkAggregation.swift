/// The bursts in which a link sends, like Wi-Fi, which aggregates frames for its turn on the air.
///
/// Half of the intervals between two bursts are between `least` and `typical`, the other half between `typical` and
/// `most`.
package struct LinkAggregation: Sendable, Hashable {
    package var least = Duration.milliseconds(2)
    /// The median of the intervals.
    package var typical = Duration.milliseconds(4)
    package var most = Duration.milliseconds(8)

    package init() {}
}
