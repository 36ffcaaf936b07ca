package import HelioCore
package import HelioPlayout

extension SinkSession {
    /// What the session knows of its path, all since the session began.
    package struct Statistics: Sendable {
        package var packetsReceived = 0
        package var packetsLost = 0
        package var packetsRecovered = 0
        package var packetsReordered = 0
        package var bytesReceived = 0
        package var frames: UInt64 = 0
        package var jitter = Duration.zero
        package var roundTrip: Duration?
        package var suggestedBitrate: Bitrate?
        /// The host's clock against ours.
        package var clock: ClockEstimator?
        /// What was thrown away, by name.
        package var drops: [String: Int] = [:]

        init(media: MediaReceiver?, control: ViewerControlChannel?) {
            if let media {
                let reception = media.buffer.statistics
                packetsReceived = reception.received
                packetsLost = reception.lost
                packetsRecovered = reception.recovered
                packetsReordered = reception.reordered
                bytesReceived = media.bytesReceived
                frames = media.buffer.frames
                jitter = reception.jitterDuration
                suggestedBitrate = media.suggestedBitrate
                drops.merge(media.allDrops) { $0 + $1 }
            }
            if let control {
                roundTrip = control.roundTrip
                clock = control.clock
                drops.merge(control.allDrops) { $0 + $1 }
            }
        }
    }
}
