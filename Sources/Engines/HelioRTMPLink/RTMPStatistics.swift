import HelioCore

/// What a publisher by RTMP has sent, and what came of it. Totals go on over connections, the rest is of the present one.
package struct RTMPStatistics: Sendable, Hashable, DropReporting {
    /// How long the server took to answer, or to acknowledge what the system had taken: no less than the network's. Zero
    /// until it has.
    package var roundTrip = Duration.zero
    /// Bits a second, over the last second or so.
    package var rate = 0.0
    /// Bytes that the system has not taken yet.
    package var unsentBytes = 0
    /// Units that wait.
    package var waiting = 0
    package var sentBytes: Int64 = 0
    package var sentPictures = 0
    package var sentSounds = 0
    package var connections = 0
    /// What was dropped, by name.
    package var drops: [String: Int] = [:]

    package init() {}
}
