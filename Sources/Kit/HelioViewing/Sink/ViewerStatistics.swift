private import Foundation
internal import HelioCore
internal import HelioMedia
internal import HelioRemote
internal import HelioSession
internal import HelioSound

/// The statistics of a viewer's session since the last ones, as a line of JSON (`--stats`) and as the overlay's text.
public struct ViewerStatistics: Sendable, Codable {
    /// Percentiles of a stage's latency since the last statistics, milliseconds.
    public struct Latency: Sendable, Codable {
        /// The median.
        public var p50: Double
        /// The 95th percentile.
        public var p95: Double
        /// The slowest frame.
        public var max: Double
    }

    /// The statistics of the host's sound.
    public struct Sound: Sendable, Codable {
        /// `pcm`, `opus` or `aac`; empty before the first sound.
        public var codec = ""
        /// The device that plays; `nil` while none does.
        public var device: String?
        /// The time from the host's device until sound is heard here, milliseconds; `nil` where nothing is heard, or the
        /// host's clock is not known.
        public var delay: Double?
        /// The time that packets are held to even out how they come, milliseconds.
        public var buffer = 0.0
        /// How much later packets come than on the shortest way, milliseconds.
        public var jitter = 0.0
        /// Packets that came.
        public var packets = 0
        /// Packets whose time came before they did.
        public var lost = 0
        /// Packets that redundancy, or the packet after them, brought back.
        public var recovered = 0
        /// The sound that was made up for lost packets, milliseconds.
        public var concealed = 0.0
        /// How often sound was due and none was there, by the streams or the device.
        public var underruns = 0
        /// Interruptions that could be heard.
        public var gaps = 0
        /// The recent peak, 0...1.
        public var level = 0.0
        /// How much later than its sound a picture was shown, milliseconds, on the average since the last statistics;
        /// `nil` where either is missing.
        public var pictureOffset: Double?
        /// False where the person has turned it off.
        public var isOn = true

        enum CodingKeys: String, CodingKey {
            case codec, device, lost, recovered, packets, underruns, gaps, level
            case delay = "delay_ms"
            case buffer = "buffer_ms"
            case jitter = "jitter_ms"
            case concealed = "concealed_ms"
            case pictureOffset = "av_offset_ms"
            case isOn = "on"
        }
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
    /// The transport by which the picture comes now, `udp` or `tcp`; `nil` where it is another program's.
    public var transport: String?
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
    /// The host's sound; `nil` where none has come.
    public var sound: Sound?
    /// The person's microphone; `nil` where the host is not to hear it.
    public var microphone: Microphone?
    /// What has gone between the two clipboards; `nil` where none is shared.
    public var clipboard: ClipboardTraffic?
    /// What has gone between the files of the two ends; `nil` where none go.
    public var files: FileTrafficCounts?
    /// The recording; `nil` where there is none.
    public var recording: RecordingStatus?
    /// Items that were dropped since the session began, counted by reason.
    public var drops: [String: Int] = [:]

    init() {}

    mutating func take(_ session: SinkStatistics, _ control: ViewerControl.Statistics?, now: Instant) {
        packets = session.packetsReceived
        lost = session.packetsLost
        recovered = session.packetsRecovered + session.packetsRestored
        reordered = session.packetsReordered
        jitter = session.jitter.milliseconds
        transport = session.transport?.rawValue
        codedFramesPerSecond = session.codedFramesPerSecond
        codedMegabitsPerSecond = session.codedBitrate.map { Double($0.bitsPerSecond) / 1e6 }
        clipboard = session.clipboard.map { ClipboardTraffic($0) }
        roundTrip = control?.roundTrip?.milliseconds
        if let estimate = control?.clock.estimate(now: now) {
            clockOffset = estimate.offset.milliseconds
            clockError = estimate.error.milliseconds
        }
        drops.add(session.drops)
        if let clipboard = session.clipboard { drops.add(clipboard.drops) }
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
        if transport == "tcp" { lines.append("over TCP") }
        lines.append("packets \(packets)   lost \(lost)   recovered \(recovered)   reordered \(reordered)")
        if let sound { lines += sound.lines }
        if let microphone { lines.append(microphone.line) }
        if let clipboard { lines.append(clipboard.line) }
        if let files { lines.append(files.line) }
        for (name, count) in drops.sorted(by: { $0.key < $1.key }) { lines.append("dropped: \(name) \(count)") }
        return lines
    }
}

extension ViewerStatistics.Sound {
    private static let meterWidth = 24

    /// - Parameters:
    ///   - report: how the streams stand.
    ///   - clock: converts the source's clock to this one.
    mutating func take(
        _ report: SoundMixer.Report, _ status: SoundPlayer.Status, clock: ClockEstimator?, now: Instant
    ) {
        let streams = report.streams
        if let codec = streams.first?.codec { self.codec = codec.rawValue }
        device = status.device
        buffer = streams.first?.delay ?? 0
        jitter = streams.first?.jitter ?? 0
        packets = streams.reduce(0) { $0 + $1.packets }
        lost = streams.reduce(0) { $0 + $1.lost }
        recovered = streams.reduce(0) { $0 + $1.recovered }
        concealed = streams.reduce(0) { $0 + $1.concealed }
        underruns = streams.reduce(Int(clamping: status.underruns)) { $0 + $1.underruns }
        gaps = streams.reduce(0) { $0 + $1.gaps }
        level = Double(report.level)
        delay = report.presented.flatMap { presented in
            clock?.sinkInstant(of: presented.captured, now: now).map { (presented.heard - $0).milliseconds }
        }
    }

    /// The lines of the overlay.
    fileprivate var lines: [String] {
        guard isOn else { return ["sound off"] }
        let delay = delay.map { String(format: "%.1f ms", $0) } ?? "-"
        var lines = [
            "sound \(codec)  \(meter)",
            String(format: "sound delay %@   buffer %.1f ms   jitter %.1f ms", delay, buffer, jitter),
            String(
                format: "sound lost %ld   recovered %ld   made up %.0f ms   gaps %ld", lost, recovered, concealed, gaps),
        ]
        if let pictureOffset { lines.append(String(format: "picture after sound %.1f ms", pictureOffset)) }
        return lines
    }

    /// A meter of 48 dB, up to full scale.
    var meter: String {
        let decibels = level > 0 ? max(-48, 20 * log10(level)) : -48
        let bars = min(Self.meterWidth, Int((decibels + 48) / 48 * Double(Self.meterWidth) + 0.5))
        return "[" + String(repeating: "|", count: bars) + String(repeating: ".", count: Self.meterWidth - bars) + "]"
            + (level > 0 ? String(format: " %.0f dB", decibels) : "")
    }
}
