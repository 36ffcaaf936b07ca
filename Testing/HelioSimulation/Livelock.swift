package import HelioCore

/// A livelock in a simulation: virtual time can't advance, because a component always requests to be called at the
/// present time.
package struct Livelock: Error, CustomStringConvertible {
    package var at: Instant
    /// The kind of work in progress, or the reason of the deadline.
    package var why: StaticString

    package var description: String { "no end of work at \(at.nanoseconds) ns: \(why)" }

    package init(at: Instant, why: StaticString) {
        self.at = at
        self.why = why
    }
}
