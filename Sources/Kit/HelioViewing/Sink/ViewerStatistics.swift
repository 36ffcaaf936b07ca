private import Foundation
internal import HelioCore
internal import HelioMedia
internal import HelioPlayout
internal import HelioRemote
internal import HelioSession
public import HelioSharing
internal import HelioSound

/// The statistics of a viewer's session. `json` has them as one line of JSON, and the statistics overlay shows them.
public struct ViewerStatistics: Sendable, Codable {
    /// Percentiles of a stage's latency since the last report, in milliseconds.
    public struct Latency: Sendable, Codable {
        /// The median.
        public var p50: Double
        /// The 95th percentile.
        public var p95: Double
        /// The maximum.
        public var max: Double
    }

    /// The statistics of the host's sound.
    public struct Sound: Sendable, Codable {
        /// The codec: `pcm`, `opus` or `aac`; empty before the first sound.
        public var codec = ""
        /// The playback device; `nil` while there is none.
        public var device: String?
        /// The time from capture at the host until the sound is heard here, in milliseconds; `nil` if nothing is heard,
        /// or the host's clock is not known.
        public var delay: Double?
        /// The time that packets are held in the jitter buffer, in milliseconds.
        public var buffer = 0.0
        /// The delay of packets in excess of the fastest packet's delay, in milliseconds.
        public var jitter = 0.0
        /// Packets received.
        public var packets = 0
        /// Packets that had not arrived when they were due.
        public var lost = 0
        /// Packets recovered from redundant copies, or from the packet that follows them.
        public var recovered = 0
        /// The duration of concealed sound, for lost packets, in milliseconds.
        public var concealed = 0.0
        /// The number of times that samples were due and none were available, in the streams or in the device.
        public var underruns = 0
        /// The number of audible interruptions.
        public var gaps = 0
        /// The recent peak, 0 to 1.
        public var level = 0.0
        /// The mean delay of pictures relative to their sound since the last report, in milliseconds; `nil` if there
        /// were no pictures or no sound.
        public var pictureOffset: Double?
        /// False if the user has turned the sound off.
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
    /// The codec: `h264` or `h265`.
    public var codec = ""
    /// The chroma format, `420` or `444`.
    public var chroma = ""
    /// The video decoder's human-readable name.
    public var decoder = ""
    /// Pictures shown since the session began.
    public var frames = 0
    /// Pictures shown per second, since the last report.
    public var framesPerSecond = 0.0
    /// The host's current maximum frame rate, which is lower than agreed if the path does not carry more; `nil` if the
    /// host does not report it.
    public var codedFramesPerSecond: Int?
    /// The host's current target bitrate in Mbit/s, which depends on the slowest viewer's path; `nil` if the host does
    /// not report it.
    public var codedMegabitsPerSecond: Double?
    /// The received bitrate in Mbit/s, including the overhead of encryption and repairs.
    public var megabitsPerSecond = 0.0
    /// The current transport of the picture, `udp` or `tcp`; `nil` for another program's stream.
    public var transport: String?
    /// The link that carries the picture of a session by a rendezvous server: `direct`, `relayed` by a TURN server, or
    /// `rendezvous`, that server itself. `nil` for a session by the host's address.
    public var link: String?
    /// The latency from a change on the host's screen to its display on this machine, by stage; `total` is the latency
    /// of all stages together. A stage that was not measured has no entry.
    public var latency: [String: Latency] = [:]
    /// The offset of the host's clock in milliseconds, positive if it is ahead of this machine's; `nil` if it is not
    /// known yet.
    public var clockOffset: Double?
    /// The largest possible error of ``clockOffset``, in milliseconds; `nil` if the offset is not known.
    public var clockError: Double?
    /// The round-trip time of the control channel, in milliseconds; `nil` if there is no such channel, or no
    /// measurement yet.
    public var roundTrip: Double?
    /// The interarrival jitter (RFC 3550 section 6.4.1), in milliseconds.
    public var jitter = 0.0
    /// Packets received since the session began.
    public var packets = 0
    /// Packets that did not arrive on their first transmission.
    public var lost = 0
    /// Lost packets that arrived by retransmission or were restored by parity.
    public var recovered = 0
    /// Packets that arrived after a packet with a higher sequence number.
    public var reordered = 0
    /// The statistics of the host's sound; `nil` if none has arrived.
    public var sound: Sound?
    /// The statistics of the user's microphone; `nil` if the options have no microphone.
    public var microphone: Microphone?
    /// The clipboard traffic; `nil` if no clipboard is shared.
    public var clipboard: ClipboardTraffic?
    /// The file traffic; `nil` if no files are exchanged.
    public var files: FileTrafficCounts?
    /// The status of the recording; `nil` if there is none.
    public var recording: RecordingStatus?
    /// The number of items dropped since the session began, by reason.
    public var drops: [String: Int] = [:]

    init() {}

    /// Takes the session's statistics, except for drops.
    mutating func take(_ session: SinkStatistics, _ control: ViewerControl.Statistics?, now: Instant) {
        packets = session.video.packets
        lost = session.video.packetsLost
        recovered = session.video.packetsRecovered + session.video.packetsRestored
        reordered = session.video.packetsReordered
        jitter = session.video.jitter.milliseconds
        transport = session.transport?.rawValue
        link = session.link
        codedFramesPerSecond = session.codedFramesPerSecond
        codedMegabitsPerSecond = session.codedBitrate.map { Double($0.bitsPerSecond) / 1e6 }
        clipboard = session.clipboard.map { ClipboardTraffic($0) }
        roundTrip = control?.roundTrip?.milliseconds
        if let estimate = control?.clock.estimate(now: now) {
            clockOffset = estimate.offset.milliseconds
            clockError = estimate.error.milliseconds
        }
    }

    mutating func take(_ stages: StageLatencies) {
        for stage in StageLatencies.Stage.allCases {
            guard let summary = stages.summary(of: stage) else { continue }
            latency[stage.rawValue] = Latency(
                p50: summary.p50.milliseconds, p95: summary.p95.milliseconds, max: summary.most.milliseconds)
        }
    }

    /// The statistics as one line of JSON, with sorted keys.
    public var json: String { (try? jsonLine()) ?? "{}" }

    /// The lines of text for the statistics overlay.
    var lines: [String] {
        var lines = [
            "\(width)x\(height)  \(codec) \(chroma)  \(decoder)",
            "\(framesPerSecond.text(decimals: 1)) fps   \(megabitsPerSecond.text(decimals: 2)) Mbit/s",
        ]
        if let codedFramesPerSecond, let codedMegabitsPerSecond {
            let most = codedMegabitsPerSecond.text(decimals: 2)
            lines.append("coded for \(codedFramesPerSecond) fps, \(most) Mbit/s at most")
        }
        for stage in StageLatencies.Stage.allCases {
            guard let value = latency[stage.rawValue] else { continue }
            let name = stage.rawValue + String(repeating: " ", count: max(0, 11 - stage.rawValue.count))
            let (p50, p95, most) = (
                value.p50.text(decimals: 2, width: 6), value.p95.text(decimals: 2, width: 6),
                value.max.text(decimals: 2, width: 6)
            )
            lines.append("\(name)\(p50) ms   p95 \(p95)   max \(most)")
        }
        if let clockOffset, let clockError {
            let (offset, error) = (clockOffset.text(decimals: 2), clockError.text(decimals: 2))
            lines.append("clock offset \(offset) ms, wrong by \(error) at most")
        }
        lines.append(
            "round trip \((roundTrip ?? 0).text(decimals: 2)) ms   jitter \(jitter.text(decimals: 2)) ms")
        if transport == "tcp" { lines.append("over TCP") }
        if let link { lines.append("link \(link)") }
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
    ///   - report: the statistics of the streams.
    ///   - clock: converts the source's times to this machine's clock.
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

    /// The lines of text for the statistics overlay.
    fileprivate var lines: [String] {
        guard isOn else { return ["sound off"] }
        let delay = delay.map { "\($0.text(decimals: 1)) ms" } ?? "-"
        var lines = [
            "sound \(codec)  \(meter)",
            "sound delay \(delay)   buffer \(buffer.text(decimals: 1)) ms   jitter \(jitter.text(decimals: 1)) ms",
            "sound lost \(lost)   recovered \(recovered)   made up \(concealed.text(decimals: 0)) ms   gaps \(gaps)",
        ]
        if let pictureOffset { lines.append("picture after sound \(pictureOffset.text(decimals: 1)) ms") }
        return lines
    }

    /// A level meter with a range of 48 dB below full scale.
    var meter: String {
        let decibels = level > 0 ? max(-48, 20 * log10(level)) : -48
        let bars = min(Self.meterWidth, Int((decibels + 48) / 48 * Double(Self.meterWidth) + 0.5))
        return "[" + String(repeating: "|", count: bars) + String(repeating: ".", count: Self.meterWidth - bars) + "]"
            + (level > 0 ? " \(decibels.text(decimals: 0)) dB" : "")
    }
}
