package import HelioCore
import HelioPlayout

extension SinkSession {
    /// What the session knows of its path, all since the session began.
    package struct Statistics: DropReporting, Sendable {
        package var packetsReceived = 0
        package var packetsLost = 0
        package var packetsRecovered = 0
        package var packetsReordered = 0
        package var bytesReceived = 0
        package var frames: UInt64 = 0
        package var jitter = Duration.zero
        package var suggestedBitrate: Bitrate?
        /// What was thrown away, by name.
        package var drops: [String: Int] = [:]

        package init() {}

        init(media: MediaReceiver?) {
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
        }
    }
}
