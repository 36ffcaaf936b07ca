package import HelioCore

/// A sink's statistics of its path, all since its session began.
package struct SinkStatistics: DropReporting, Sendable {
    package var packetsReceived = 0
    package var packetsLost = 0
    package var packetsRecovered = 0
    package var packetsRestored = 0
    package var packetsReordered = 0
    package var bytesReceived = 0
    package var frames: UInt64 = 0
    package var jitter = Duration.zero
    /// The bitrate that the host encodes for now; `nil` where it does not tell.
    package var codedBitrate: Bitrate?
    /// The most frames a second that the host encodes for now; `nil` where it does not tell.
    package var codedFramesPerSecond: Int?
    /// Counts of what was thrown away, by name.
    package var drops: [String: Int] = [:]

    package init() {}

    /// - Parameter bytesReceived: whole packets, of reports too.
    package mutating func add(_ stream: StreamReceiver, bytesReceived: Int) {
        let statistics = stream.statistics
        packetsReceived += statistics.packets
        packetsLost += statistics.packetsLost
        packetsRecovered += statistics.packetsRecovered
        packetsRestored += statistics.packetsRestored
        packetsReordered += statistics.packetsReordered
        self.bytesReceived += bytesReceived
        frames += UInt64(statistics.frames)
        jitter = statistics.jitter
        stream.addDrops(to: &drops)
    }
}
