private import Foundation
internal import HelioCore
internal import HelioMedia
internal import HelioRemote
internal import HelioSession

/// The statistics of a viewer's session over one second, as a line of JSON (`--stats`) and as the overlay's text.
public struct ViewerStatistics: Sendable, Codable {
    /// Percentiles of a stage's latency over the last second, milliseconds.
    public struct Latency: Sendable, Codable {
        /// The median.
        public var p50: Double
        /// The 95th percentile.
        public var p95: Double
        /// The slowest frame.
        public var max: Double
    }

    /// Seconds since the session began.
    public var time = 0.0
    /// The picture's width in pixels.
    public var width = 0
    /// The picture's height in pixels.
    public var height = 0
    /// `h264` or `h265`.
    public var codec = ""
    /// The chroma format, `420` or `444`.
    public var chroma = ""
    /// The decoder's name.
    public var decoder = ""
    /// Pictures shown since the session began.
    public var frames = 0
    /// Pictures shown per second.
    public var framesPerSecond = 0.0
    /// The most pictures per second that the host codes now; fewer than agreed where the path carries no more. `nil`
    /// where it does not tell.
    public var codedFramesPerSecond: Int?
    /// The bitrate that the host codes for now, which the slowest viewer's path carries; `nil` where it does not tell.
    public var codedMegabitsPerSecond: Double?
    /// The bitrate received, encryption and repair included.
    public var megabitsPerSecond = 0.0
    /// The latency from the change on the host's screen to this one, by stage in the order of the path; `total` is all
    /// of it.
    public var latency: [String: Latency] = [:]
    /// The offset of the host's clock, milliseconds: positive where it is ahead of this one.
    public var clockOffset: Double?
    /// The largest error of that offset, milliseconds.
    public var clockError: Double?
    /// The round trip on the control channel, milliseconds.
    public var roundTrip: Double?
    /// Interarrival jitter (RFC 3550 section 6.4.1), milliseconds.
    public var jitter = 0.0
    /// Packets received since the session began.
    public var packets = 0
    /// Packets that did not arrive on their first transmission.
    public var lost = 0
    /// Lost packets that arrived by retransmission.
    public var recovered = 0
    /// Packets that arrived after a later one.
    public var reordered = 0
    /// Items that were dropped since the session began, counted by reason.
    public var drops: [String: Int] = [:]

    init() {}

    mutating func take(_ session: SinkStatistics, _ control: ViewerControl.Statistics?, now: Instant) {
        packets = session.packetsReceived
        lost = session.packetsLost
        recovered = session.packetsRecovered + session.packetsRestored
        reordered = session.packetsReordered
        jitter = session.jitter.milliseconds
        codedFramesPerSecond = session.codedFramesPerSecond
        codedMegabitsPerSecond = session.codedBitrate.map { Double($0.bitsPerSecond) / 1e6 }
        roundTrip = control?.roundTrip?.milliseconds
        if let estimate = control?.clock.estimate(now: now) {
            clockOffset = estimate.offset.milliseconds
            clockError = estimate.error.milliseconds
        }
        drops.add(session.drops)
        if let control { drops.add(control.drops) }
    }

    mutating func take(_ stages: StageLatencies) {
        for stage in StageLatencies.Stage.allCases {
            guard let summary = stages.summary(of: stage) else { continue }
            latency[stage.rawValue] = Latency(
                p50: summary.p50.milliseconds, p95: summary.p95.milliseconds, max: summary.most.milliseconds)
        }
    }

    /// The statistics as one line of JSON, keys in order.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The lines of the overlay.
    var lines: [String] {
        var lines = [
            "\(width)x\(height)  \(codec) \(chroma)  \(decoder)",
            String(format: "%.1f fps   %.2f Mbit/s", framesPerSecond, megabitsPerSecond),
        ]
        if let codedFramesPerSecond, let codedMegabitsPerSecond {
            lines.append(
                String(format: "coded for %ld fps, %.2f Mbit/s at most", codedFramesPerSecond, codedMegabitsPerSecond))
        }
        for stage in StageLatencies.Stage.allCases {
            guard let value = latency[stage.rawValue] else { continue }
            let name = stage.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
            lines.append(name + String(format: "%6.2f ms   p95 %6.2f   max %6.2f", value.p50, value.p95, value.max))
        }
        if let clockOffset, let clockError {
            lines.append(String(format: "clock offset %.2f ms, wrong by %.2f at most", clockOffset, clockError))
        }
        lines.append(String(format: "round trip %.2f ms   jitter %.2f ms", roundTrip ?? 0, jitter))
        lines.append("packets \(packets)   lost \(lost)   recovered \(recovered)   reordered \(reordered)")
        for (name, count) in drops.sorted(by: { $0.key < $1.key }) { lines.append("dropped: \(name) \(count)") }
        return lines
    }
}
