package import HelioCore

/// A livelock: virtual time stood still, because some part kept asking to be served now.
package struct Livelock: Error, CustomStringConvertible {
    package var at: Instant
    /// The work in progress, or the deadline's reason.
    package var why: StaticString

    package var description: String { "no end of work at \(at.nanoseconds) ns: \(why)" }

    package init(at: Instant, why: StaticString) {
        self.at = at
        self.why = why
    }
}
