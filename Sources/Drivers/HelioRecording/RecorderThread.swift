internal import HelioBitstream
internal import HelioCore
internal import HelioGround

/// The thread of a recorder: takes items from the queue and writes them.
final class RecorderThread {
    /// The polling interval. The file is not latency-sensitive, so pictures need not wake the thread.
    private static let interval = Duration.milliseconds(100)
    /// The time after which a keyframe request is repeated.
    private static let keyframePatience = Duration.seconds(2)
    private static let stillTime = Duration.seconds(1)

    private let recording: Recording
    private let options: RecorderOptions
    private let stream: any RecordedStream
    private let inbox: RecorderInbox
    private var askedForKeyframe: Instant?
    private var lastKeyframe: Instant?
    private var lastPicture: Instant?
    private var hasBegun = false

    init(
        _ recording: Recording, _ options: RecorderOptions, _ stream: any RecordedStream, _ inbox: RecorderInbox
    ) {
        self.recording = recording
        self.options = options
        self.stream = stream
        self.inbox = inbox
    }

    /// Runs until the recording is stopped, or fails.
    func run() {
        // Blocking SIGXFSZ makes a write beyond the user's file size limit fail with an error instead of ending the
        // program.
        ThreadSignals.blockFileSize()
        while true {
            let isStopping = inbox.isStopping
            while let (item, since) = inbox.take() {
                write(item, since: since)
                recording.tick(now: MonotonicClock.now)
                if recording.state == .failed { break }
            }
            let now = MonotonicClock.now
            if isStopping { recording.finish(now: now) } else { recording.tick(now: now) }
            inbox.tell(recording.statistics)
            if isStopping || recording.state == .failed { return }
            ask(now)
            inbox.wait(until: now + Self.interval)
        }
    }

    private func write(_ item: RecordingQueue.Item, since: Instant) {
        switch item {
        case .picture(let picture):
            recording.take(picture, since: since)
            lastPicture = since
            if picture.isKeyframe { (lastKeyframe, askedForKeyframe, hasBegun) = (since, nil, true) }
        case .sound(let sound):
            guard let packet = OpusPacket(sound.payload.span.bytes), packet.frames <= OpusPacket.maximumFrames else {
                return recording.refuseSound()
            }
            recording.take(sound, length: packet.frames, since: since)
        }
    }

    private func ask(_ now: Instant) {
        if inbox.needsKeyframe(now: now) {
            guard askedForKeyframe.map({ now - $0 >= Self.keyframePatience }) ?? true else { return }
            askedForKeyframe = now
            stream.requestKeyframe(hasBegun ? "the recording lost a picture" : "a recording begins")
        } else if let interval = options.keyframeInterval, let last = lastKeyframe, let lastPicture,
            now - last >= interval, lastPicture > last, askedForKeyframe == nil
        {
            askedForKeyframe = now
            stream.requestKeyframe("players of the recording jump there")
        } else if options.sound.isEmpty, let last = lastPicture, now - last >= Self.stillTime {
            lastPicture = now
            stream.repeatPicture()
        }
    }
}
