package import HelioCore
package import HelioMedia

/// The turns of one viewer's picture requests: none passes while the path is full, and a viewer on refresh, whose path
/// is far slower than others', gets a picture now and then only.
package struct PictureTurns: Sendable {
    /// The least time between two pictures for a viewer on refresh.
    private static let interval = Duration.seconds(2)
    private static let reason: StaticString = "a slow viewer is due a picture"

    /// When a keyframe request that had to wait is tried again.
    package var keyframeHeld: Deadline?
    /// When a repair request that had to wait is tried again.
    package var repairHeld: Deadline?
    /// When a viewer on refresh was last given a turn.
    private var last: Instant?

    package init() {}

    /// The request for a picture of a viewer on refresh.
    package static var wish: KeyframeWish { KeyframeWish("\(reason)") }

    /// The next turn of a viewer on refresh; `nil` if it had none yet.
    package var next: Deadline? { last.map { Deadline(at: $0 + Self.interval, why: Self.reason) } }

    /// Notes a turn of a viewer on refresh.
    package mutating func took(now: Instant) { last = now }

    package mutating func forget() { last = nil }

    /// The time until which a request has to wait; `nil`: it may pass.
    ///
    /// - Parameter overfull: when the path may have room again; `nil`: it has room.
    package func wait(isOnRefresh: Bool, overfull: @autoclosure () -> Deadline?, now: Instant) -> Deadline? {
        if isOnRefresh, let next, now < next.at { return next }
        return overfull()
    }
}
