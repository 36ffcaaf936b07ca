private import Glibc
internal import HelioExtension
private import Synchronization

/// The loop of an extension: a picture, scaled, coded, relayed; and what it takes of memory.
struct StandIn {
    private final class Asked: Sendable {
        let keyframe = Mutex(true)
        let isOver = Mutex(false)
    }

    private let options: Options
    private var screen: SyntheticScreen
    private var scaler: FrameScaler
    private var encoder: FrameEncoder
    private let relay: BroadcastRelay
    private let asked: Asked

    init(_ options: Options) throws(HelioError) {
        let asked = Asked()
        self.asked = asked
        self.options = options
        screen = SyntheticScreen()
        scaler = FrameScaler(to: Self.size(of: screen.size, options))
        encoder = try FrameEncoder(scaler.size, rate: options.rate)
        relay = try BroadcastRelay(
            .init(socketPath: options.socket, size: scaler.size, framesPerSecond: options.rate)
        ) { event in
            switch event {
            case .keyframeNeeded: asked.keyframe.withLock { $0 = true }
            case .stopped: asked.isOver.withLock { $0 = true }
            case .connected, .lost: break
            }
        }
    }

    /// 720p of the same shape, in the screen's own orientation (row 161).
    private static func size(of screen: PixelSize, _ options: Options) -> PixelSize {
        guard options.isScaled else { return screen }
        let isPortrait = screen.height > screen.width
        return screen.fitted(within: PixelSize(width: isPortrait ? 720 : 1280, height: isPortrait ? 1280 : 720))
    }

    mutating func run() throws(HelioError) {
        let frames = options.seconds * options.rate
        let begin = Self.now
        var peak = 0
        var late = 0
        var coded = 0
        for index in 0..<frames {
            if asked.isOver.withLock({ $0 }) { break }
            if index > 0, index % (options.turnEvery * options.rate) == 0 { try turn() }
            let captured = Self.now
            screen.draw(index)
            let isKeyframe = asked.keyframe.withLock { asked in
                defer { asked = false }
                return asked
            }
            // A picture that is to be coded as it is is not copied either.
            let picture = options.isScaled ? scaler.scale(screen.picture) : screen.picture
            let annexB = try encoder.encode(picture, isKeyframe: isKeyframe)
            coded += annexB.bytes.count
            relay.write(
                EncodedFrame(
                    annexB: annexB.bytes, presentationTime: .nanoseconds(captured), isKeyframe: annexB.isKeyframe))
            if index % 6 == 0 { peak = max(peak, PrivateMemory.kilobytes) }
            let due = begin + Int64(index + 1) * 1_000_000_000 / Int64(options.rate)
            if Self.now > due { late += 1 } else { Self.sleep(until: due) }
        }
        relay.finish()
        peak = max(peak, PrivateMemory.kilobytes)
        let statistics = relay.statistics
        print(
            "pictures \(frames), late \(late), coded \(coded / 1000) kB, relayed \(statistics.pictures), dropped "
                + "\(statistics.drops.values.reduce(0, +)), waited at most \(statistics.mostWaitingBytes / 1000) kB, "
                + "private memory at most \(peak) kB")
        if peak > options.budget * 1024 { exit(2) }
    }

    /// The device is turned: the old encoder goes before the new one comes.
    private mutating func turn() throws(HelioError) {
        screen.turn()
        scaler = FrameScaler(to: Self.size(of: screen.size, options))
        encoder.close()
        encoder = try FrameEncoder(scaler.size, rate: options.rate)
        asked.keyframe.withLock { $0 = true }
        try relay.change(size: scaler.size)
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
