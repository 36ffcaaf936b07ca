private import Glibc
internal import HelioExtension
private import Synchronization

/// The main loop of the simulated extension: draws, scales, encodes and relays pictures, and measures the memory use.
struct StandIn {
    private struct Wish {
        var bitrate: Int?
        var largest: PixelSize?
    }

    private final class Asked: Sendable {
        let keyframe = Mutex(true)
        let isOver = Mutex(false)
        let wish = Mutex<Wish?>(nil)
    }

    private let preset = EncoderPreset.broadcast

    private let options: Options
    private var screen: SyntheticScreen
    /// The scaler; `nil` if pictures are encoded in their original size, without a copy.
    private var scaler: FrameScaler?
    private var encoder: FrameEncoder
    private let relay: BroadcastRelay
    private let asked: Asked
    private var tone: Tone?
    private var bitrate: Int
    private var largest: PixelSize?
    /// The size of the encoded pictures in pixels, in the screen's orientation.
    private var size: PixelSize
    /// The maximum private memory so far, in kB.
    private var peak = 0

    init(_ options: Options) throws(HelioError) {
        let asked = Asked()
        self.asked = asked
        self.options = options
        screen = SyntheticScreen()
        let size = options.isScaled ? preset.size(of: screen.size) : screen.size
        self.size = size
        scaler = options.isScaled ? FrameScaler(to: size) : nil
        bitrate = preset.startBitrate
        tone = options.hasTone ? Tone() : nil
        encoder = try FrameEncoder(size, rate: options.rate, bitrate: bitrate)
        relay = try BroadcastRelay(
            .init(socketPath: options.socket, size: size, framesPerSecond: options.rate)
        ) { event in
            switch event {
            case .keyframeNeeded: asked.keyframe.withLock { $0 = true }
            case .stopped: asked.isOver.withLock { $0 = true }
            case .wanted(let bitrate, let largest):
                asked.wish.withLock { $0 = Wish(bitrate: bitrate, largest: largest) }
            case .connected: Self.say("connected")
            case .lost(let reason): Self.say("lost: \(reason)")
            }
        }
    }

    /// The size to code: 720p with the screen's aspect ratio and orientation (requirement row 161), or the smaller size
    /// that the app wants.
    private var wantedSize: PixelSize {
        options.isScaled ? preset.size(of: screen.size, largest: largest) : screen.size
    }

    mutating func run() throws(HelioError) {
        let frames = options.seconds * options.rate
        let begin = Self.now
        var late = 0
        var coded = 0
        for index in 0..<frames {
            if asked.isOver.withLock({ $0 }) { break }
            if index > 0, index % (options.turnEvery * options.rate) == 0 { try turn() }
            try heed()
            let captured = Self.now
            screen.draw(index)
            let isKeyframe = asked.keyframe.withLock { asked in
                defer { asked = false }
                return asked
            }
            let picture = scaler?.scale(screen.picture) ?? screen.picture
            let annexB = try encoder.encode(picture, isKeyframe: isKeyframe)
            coded += annexB.bytes.count
            relay.write(
                EncodedFrame(
                    annexB: annexB.bytes, presentationTime: .nanoseconds(captured), isKeyframe: annexB.isKeyframe))
            tone?.give(until: captured, to: relay)
            if index % 6 == 0 { measure() }
            let due = begin + Int64(index + 1) * 1_000_000_000 / Int64(options.rate)
            if Self.now > due { late += 1 } else { Self.sleep(until: due) }
        }
        relay.finish()
        measure()
        let statistics = relay.statistics
        Self.say(
            "pictures \(frames), late \(late), coded \(coded / 1000) kB, relayed \(statistics.pictures), dropped "
                + "\(statistics.drops.values.reduce(0, +)), waited at most \(statistics.mostWaitingBytes / 1000) kB, "
                + "private memory at most \(peak) kB")
        if peak > options.budget * 1024 { exit(2) }
    }

    /// Rotates the screen by a quarter turn, and makes an encoder for the new orientation.
    private mutating func turn() throws(HelioError) {
        screen.turn()
        try renewEncoder()
    }

    /// Applies the bitrate and the largest size that the app has requested since the last call; another size needs
    /// another encoder.
    private mutating func heed() throws(HelioError) {
        let wish = asked.wish.withLock { wish in
            defer { wish = nil }
            return wish
        }
        guard let wish else { return }
        let wanted = preset.bitrate(wanted: wish.bitrate)
        if wanted != bitrate {
            bitrate = wanted
            try encoder.change(bitrate: wanted)
        }
        largest = wish.largest
        if wantedSize != size { try renewEncoder() }
        Self.say("coding \(size), \(bitrate) bits a second")
    }

    /// Replaces the encoder. The old encoder is closed first, so that the two never use memory at the same time.
    private mutating func renewEncoder() throws(HelioError) {
        measure()
        size = wantedSize
        encoder.close()
        scaler = nil
        if options.isScaled { scaler = FrameScaler(to: size) }
        encoder = try FrameEncoder(size, rate: options.rate, bitrate: bitrate)
        measure()
        asked.keyframe.withLock { $0 = true }
        try relay.change(size: size)
    }

    private mutating func measure() { peak = max(peak, PrivateMemory.kilobytes) }

    /// Prints a line at once, even into a pipe.
    private static func say(_ line: String) {
        let text = Array("\(line)\n".utf8)
        _ = write(STDOUT_FILENO, text, text.count)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func sleep(until due: Int64) {
        var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
    }
}
