internal import HelioCore

/// Maps the app's clock for one stream to the event loop's clock. Sender reports carry the mapped times, by which the
/// peer synchronises sound and video.
///
/// The first packet or frame sent sets the offset. If the two clocks drift apart, as the clocks of two devices do, the
/// drift is the same for all tracks of the stream.
struct AppClock {
    /// The maximum difference between a mapped time and the present. If it is exceeded, the app is assumed to have
    /// restarted its clock, and the offset is set anew.
    private static let furthest = Duration.seconds(10)

    private var origin: Instant?

    /// Returns the capture time, on the loop's clock, of media that is sent at `now`.
    ///
    /// - Parameter time: the capture time on the app's clock.
    mutating func instant(_ time: Duration, now: Instant) -> Instant {
        if let origin {
            let captured = origin + time
            if (.zero - Self.furthest...Self.furthest).contains(captured - now) { return captured }
        }
        origin = now - time
        return now
    }
}
