package import HelioCore
package import HelioMedia

/// Limits the rate of one viewer's requests for keyframes and repair pictures. No request passes while the path is
/// congested. A viewer "on refresh", whose path is far slower than the others', gets only one picture every two
/// seconds.
package struct PictureTurns: Sendable {
    /// The minimum time between two pictures for a viewer on refresh.
    private static let interval = Duration.seconds(2)
    private static let reason: StaticString = "a slow viewer is due a picture"

    /// The time at which a delayed keyframe request is tried again; `nil` if none is delayed.
    package var keyframeHeld: Deadline?
    /// The time at which a delayed repair request is tried again; `nil` if none is delayed.
    package var repairHeld: Deadline?
    /// The time at which a request last passed for a viewer on refresh.
    private var last: Instant?

    package init() {}

    /// The keyframe request made for a viewer on refresh.
    package static var wish: KeyframeWish { KeyframeWish("\(reason)") }

    /// The time at which a viewer on refresh may get its next picture; `nil` if it has had none yet.
    package var next: Deadline? { last.map { Deadline(at: $0 + Self.interval, why: Self.reason) } }

    /// Records that a request has passed for a viewer on refresh.
    package mutating func took(now: Instant) { last = now }

    package mutating func forget() { last = nil }

    /// Returns the time until which a request has to wait; `nil`: it may pass now.
    ///
    /// - Parameter overfull: the time at which to check a congested path again; `nil`: the path is not congested.
    package func wait(isOnRefresh: Bool, overfull: @autoclosure () -> Deadline?, now: Instant) -> Deadline? {
        if isOnRefresh, let next, now < next.at { return next }
        return overfull()
    }
}
