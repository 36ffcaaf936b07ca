internal import HelioCore
internal import HelioMedia
internal import HelioPlayout
internal import HelioRemote
internal import HelioSession
internal import HelioSharing
internal import HelioSound

/// Puts a viewer's statistics together: from the pictures that were shown, the session's last statistics, and the state
/// of the viewer's parts at the time of a report.
struct ViewerMeter {
    /// The state of the viewer's parts at the time of a report.
    struct Parts {
        /// The decoder's human-readable name.
        var decoder = ""
        /// The host's sound; `nil` if this system can't play sound.
        var sound: HeardSound?
        /// The user's microphone; `nil` if there is none.
        var microphone: Microphone.Status?
        var recording: RecordingStatus?
        var files: FileTrafficCounts?
        /// The number of packets, pictures and messages that the viewer's parts dropped, by reason.
        var drops: [String: Int] = [:]
    }

    struct HeardSound {
        var report: SoundMixer.Report
        var status: SoundPlayer.Status
        /// True if the user wants to hear the sound.
        var isOn: Bool
    }

    /// The maximum number of pictures between two reports that are compared with their sound.
    private static let mostOffsets = 1000

    /// The statistics of the last report, with the pictures since.
    private(set) var statistics = ViewerStatistics()
    /// True once the host's sound has arrived, as of the last report.
    private(set) var hasHeard = false
    let started: Instant
    private let interval: Duration
    private var lastReport: Instant
    /// The number of pictures in the last report.
    private var reportedFrames = 0
    private var latencies = StageLatencies()
    /// The delay of each picture shown since the last report relative to its sound, in milliseconds.
    private var soundOffsets: [Double] = []
    private var clock: ClockEstimator?
    /// The statistics of the sent voice, and the drops, as last reported by the session.
    private var voiceSent: SentSound?
    private var sessionDrops: [String: Int] = [:]
    private var bytesSeen: (count: Int, at: Instant)

    /// - Parameter interval: the time from one report to the next.
    init(interval: Duration, now: Instant) {
        self.interval = interval
        started = now
        lastReport = now
        bytesSeen = (0, now)
    }

    /// The time of the next report.
    var nextReport: Instant { lastReport + interval }

    /// Returns true if a report is due. The first picture is reported at once, because programs wait for this report.
    func isDue(now: Instant) -> Bool { reportedFrames == 0 && statistics.frames > 0 || now >= nextReport }

    /// Records a picture that was shown.
    ///
    /// - Parameter heard: an instant of the source's clock, and the time at which its sound is heard here.
    /// - Returns: the picture's stages.
    mutating func show<Picture: DecodedImaging>(
        _ shown: DecodedFrame<Picture>, at presented: Instant, heard: (captured: Instant, heard: Instant)?
    ) -> FrameStages {
        if let heard, let captured = shown.frame.sourceTiming?.captured, soundOffsets.count < Self.mostOffsets {
            // The difference of the two delays from capture to presentation; the offset of the clocks cancels out.
            soundOffsets.append(((presented - heard.heard) - (captured - heard.captured)).milliseconds)
        }
        let stages = FrameStages(
            shown.frame, decoded: shown.decoded, presented: presented, clock: clock?.estimate(now: presented))
        latencies.record(stages)
        statistics.frames += 1
        statistics.width = shown.picture.size.width
        statistics.height = shown.picture.size.height
        statistics.codec = shown.frame.codec.rawValue
        statistics.chroma = shown.picture.description.chroma.rawValue
        return stages
    }

    /// Takes the session's statistics for the next report.
    mutating func take(_ session: SinkStatistics, _ control: ViewerControl.Statistics?, now: Instant) {
        clock = control?.clock
        voiceSent = session.voice
        sessionDrops = .sum(session.drops, session.clipboard?.drops, control?.drops)
        statistics.take(session, control, now: now)
        let seconds = max(0.001, (now - bytesSeen.at).inSeconds)
        statistics.megabitsPerSecond = Double(max(0, session.bytesReceived - bytesSeen.count)) * 8 / 1e6 / seconds
        bytesSeen = (session.bytesReceived, now)
    }

    /// Returns the statistics, and begins the next interval.
    mutating func report(_ parts: Parts, now: Instant) -> ViewerStatistics {
        statistics.time = (now - started).inSeconds
        statistics.framesPerSecond =
            Double(statistics.frames - reportedFrames) / max(0.001, (now - lastReport).inSeconds)
        statistics.latency = [:]
        statistics.take(latencies)
        statistics.decoder = parts.decoder
        statistics.sound = sound(parts.sound, now)
        statistics.microphone = parts.microphone.map { .init($0, voiceSent) }
        statistics.recording = parts.recording
        statistics.files = parts.files
        statistics.drops = parts.drops
        statistics.drops.add(sessionDrops)
        latencies.reset()
        reportedFrames = statistics.frames
        lastReport = now
        return statistics
    }

    /// Returns the statistics of the sound; `nil` before the first sound, unless the user has turned sound off.
    private mutating func sound(_ sound: HeardSound?, _ now: Instant) -> ViewerStatistics.Sound? {
        guard let sound else { return nil }
        if !sound.report.streams.isEmpty { hasHeard = true }
        guard hasHeard || !sound.isOn else { return nil }
        var told = statistics.sound ?? .init()
        told.take(sound.report, sound.status, clock: clock, now: now)
        told.isOn = sound.isOn
        told.pictureOffset = soundOffsets.isEmpty ? nil : soundOffsets.reduce(0, +) / Double(soundOffsets.count)
        soundOffsets.removeAll(keepingCapacity: true)
        return told
    }
}
