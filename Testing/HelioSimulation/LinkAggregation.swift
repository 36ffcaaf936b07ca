/// The intervals of a link that sends in bursts, as Wi-Fi does by aggregating frames while it waits for the channel.
///
/// Half of the intervals between bursts are uniformly distributed between `least` and `typical`, the other half between
/// `typical` and `most`.
package struct LinkAggregation: Sendable, Hashable {
    package var least = Duration.milliseconds(2)
    /// The median of the intervals.
    package var typical = Duration.milliseconds(4)
    package var most = Duration.milliseconds(8)

    package init() {}
}
