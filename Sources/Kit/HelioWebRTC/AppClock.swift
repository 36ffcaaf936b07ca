internal import HelioCore

/// The app's clock of a stream's times, as seen from the event loop's: reports tell the peer by it what is to be heard
/// and seen together.
///
/// The first thing sent sets it. Where the two run apart, as the clocks of devices do, all tracks of the stream do so
/// alike.
struct AppClock {
    /// What is further from now than this was not captured then: the app counts anew, and so does this.
    private static let furthest = Duration.seconds(10)

    private var origin: Instant?

    /// Returns when something was captured that is sent at `now`.
    ///
    /// - Parameter time: its time on the app's clock.
    mutating func instant(_ time: Duration, now: Instant) -> Instant {
        if let origin {
            let captured = origin + time
            if (.zero - Self.furthest...Self.furthest).contains(captured - now) { return captured }
        }
        origin = now - time
        return now
    }
}
