private import Foundation
package import HelioCore

/// The wall-clock time, for timestamps that are sent to other machines.
package enum WallClock {
    /// The time between the NTP epoch, 1900, and the Unix epoch, 1970.
    private static let ntpToUnix = Duration.seconds(2_208_988_800)

    /// Returns the offset to add to an `Instant` to get the time since 1900; `instant` has to be the present.
    package static func sinceNTPEpoch(at instant: Instant) -> Duration {
        ntpToUnix + sinceUnixEpoch(at: instant)
    }

    /// Returns the offset to add to an `Instant` to get the time since 1970; `instant` has to be the present.
    package static func sinceUnixEpoch(at instant: Instant) -> Duration {
        .seconds(Date().timeIntervalSince1970) - .nanoseconds(instant.nanoseconds)
    }
}
