package import HelioCore
internal import HelioGround
package import HelioPlayout
private import Synchronization

/// The source of a sound output: accepts a session's packets from the event loop, and decodes and mixes the streams
/// when the output requests samples.
///
/// The two threads share one bounded queue, whose lock is only held briefly.
///
/// `@unchecked Sendable`: only `render` uses the state without a lock, and only one thread at a time calls `render`.
package final class SoundMixer: DropCounting, @unchecked Sendable {
    package enum Drop: String, Sendable, CaseIterable {
        /// A packet dropped because the queue was full.
        case full = "sound-queue-full"
        /// A packet dropped because no output was open in time.
        case silent = "sound-without-output"
    }

    /// The statistics of a mixer.
    package struct Report: Sendable {
        /// The streams' statistics, the system's sound first.
        package var streams: [SoundStatistics] = []
        /// The recent peak of the loudest stream, 0...1.
        package var level: Float = 0
        /// An instant of the source's clock, and the time at which its sound is heard on this machine.
        package var presented: (captured: Instant, heard: Instant)?
    }

    private enum Item: Sendable {
        case packet(ReceivedSound)
        case clock(SoundClock)
        /// Another stream with its own times begins. The values are the format of its PCM, and AAC's
        /// `AudioSpecificConfig`.
        case begun(SoundFormat, [UInt8])
    }

    private struct Shared {
        var items: [Item] = []
        var packets = 0
        var format: SoundFormat?
        var volume: Float = 1
        var isMuted = false
        var lastPacket: Instant?
        var report = Report()
        var drops = DropCounter<Drop>()
        /// The streams' drops, as last reported.
        var streamDrops: [DropCounter<SoundDrop>] = []
    }

    private struct Stream {
        let origin: SoundOrigin
        let playout: SoundPlayout
    }

    /// The maximum number of queued packets: more than 1 s of two streams with packets of 5 ms. If it is exceeded, the
    /// oldest packets are dropped.
    private static let packetsWaiting = 512
    /// The interval at which statistics are reported.
    private static let tellingTime = Duration.milliseconds(250)

    private let shared = Mutex(Shared())
    private let platform: any SoundPlatform

    // The following state is used by the output's thread only.
    private var format: SoundFormat?
    /// The format of received PCM. `configuration` is AAC's `AudioSpecificConfig`.
    private var sent = SoundFormat.standard
    private var configuration: [UInt8] = []
    private var streams: [Stream] = []
    private var mix: [Float] = []
    /// An empty array with capacity, which is swapped with the queue, so that `render` allocates no memory.
    private var spare: [Item] = []
    private var nextTelling = Instant.zero

    /// - Parameter platform: makes the decoders, on the output's thread.
    package init(of platform: any SoundPlatform) { self.platform = platform }

    // MARK: Any thread

    /// Queues an event of the session's sound.
    package func put(_ news: SoundNews) {
        switch news {
        case .begun(let format, let configuration): begin(format, configuration)
        case .packet(let packet): put(packet)
        case .clock(let clock): put(clock)
        }
    }

    private func put(_ packet: ReceivedSound) {
        shared.withLock { shared in
            shared.lastPacket = packet.arrival
            shared.packets += 1
            if shared.packets > Self.packetsWaiting { Self.dropOldest(&shared) }
            shared.items.append(.packet(packet))
        }
    }

    /// Drops the older half of the packets at once, since dropping one packet for each new one would take too much
    /// time.
    private static func dropOldest(_ shared: inout Shared) {
        var excess = packetsWaiting / 2
        shared.items.removeAll { item in
            guard excess > 0, case .packet = item else { return false }
            excess -= 1
            return true
        }
        shared.packets -= packetsWaiting / 2
        shared.drops.count(shared.format == nil ? .silent : .full, packetsWaiting / 2)
    }

    private func put(_ clock: SoundClock) {
        shared.withLock { shared in
            // A newer clock replaces an unread clock of the same origin.
            if case .clock(let last)? = shared.items.last, last.origin == clock.origin { shared.items.removeLast() }
            // The number of queued clocks is limited, too, as nothing reads the queue while no output is open.
            if shared.items.count < 2 * Self.packetsWaiting { shared.items.append(.clock(clock)) }
        }
    }

    /// Begins another session: the queued items are discarded.
    private func begin(_ format: SoundFormat, _ configuration: [UInt8]) {
        shared.withLock { shared in
            shared.items = [.begun(format, configuration)]
            shared.packets = 0
            shared.lastPacket = nil
        }
    }

    /// Sets the format of the open output; `nil` if none is open.
    package func set(_ format: SoundFormat?) {
        shared.withLock { shared in
            shared.format = format
            if format == nil {
                shared.report.presented = nil
                shared.report.level = 0
            }
        }
    }

    package func set(volume: Float, isMuted: Bool) {
        shared.withLock { shared in
            shared.volume = volume
            shared.isMuted = isMuted
        }
    }

    /// The arrival time of the last packet.
    package var lastPacket: Instant? { shared.withLock { $0.lastPacket } }

    /// An instant of the source's clock, and the time at which sound captured then is heard on this machine; cheap
    /// enough to read for each picture.
    package var presented: (captured: Instant, heard: Instant)? { shared.withLock { $0.report.presented } }

    /// The recent peak of the loudest stream, 0...1; cheap enough to read for each block of a microphone.
    package var level: Float { shared.withLock { $0.report.level } }

    package var report: Report { shared.withLock { $0.report } }

    package var allDrops: [String: Int] {
        let (drops, streamDrops) = shared.withLock { ($0.drops, $0.streamDrops) }
        return .sum(drops, streamDrops.allDrops.named("sound-"))
    }

    // MARK: The output's thread

    /// Fills `samples`; `heard` is the time at which the first sample is heard.
    package func render(_ samples: inout MutableSpan<Float>, heard: Instant) {
        let now = MonotonicClock.now
        var items: [Item] = []
        swap(&items, &spare)
        let (format, volume, isMuted) = shared.withLock { shared in
            if shared.format != nil {
                swap(&items, &shared.items)
                shared.packets = 0
            }
            return (shared.format, shared.volume, shared.isMuted)
        }
        defer {
            items.removeAll(keepingCapacity: true)
            swap(&items, &spare)
        }
        guard let format else { return silence(&samples) }
        if format != self.format {
            self.format = format
            streams = []
        }
        for item in items { take(item, format, now) }
        guard let first = streams.first else { return silence(&samples) }
        for stream in streams {
            stream.playout.volume = volume
            stream.playout.isMuted = isMuted
        }
        first.playout.render(&samples, heard: heard, now: now)
        for stream in streams.dropFirst() { add(stream, to: &samples, heard: heard, now: now) }
        tell(now)
    }

    private func take(_ item: Item, _ format: SoundFormat, _ now: Instant) {
        switch item {
        case .packet(let packet): stream(of: packet.origin, format).handle(packet, now: now)
        case .clock(let clock): stream(of: clock.origin, format).handle(clock)
        case .begun(let format, let bytes):
            streams = []
            sent = format
            configuration = bytes
        }
    }

    /// Returns the playout of the system's or the microphone's sound, and makes it at the first use. So there are at
    /// most two streams.
    private func stream(of origin: SoundOrigin, _ format: SoundFormat) -> SoundPlayout {
        if let stream = streams.first(where: { $0.origin == origin }) { return stream.playout }
        let (platform, sent, configuration) = (self.platform, self.sent, self.configuration)
        let playout = SoundPlayout(.init(output: format)) { codec, format throws(HelioError) in
            guard codec == .pcm, sent != .standard else {
                return try platform.makeDecoder(
                    codec, format: format, configuration: codec == .aac ? configuration : [])
            }
            let decoder = try platform.makeDecoder(.pcm, format: sent, configuration: [])
            return sent.sampleRate == format.sampleRate
                ? decoder : ConvertingDecoder(decoder, to: format.sampleRate)
        }
        let stream = Stream(origin: origin, playout: playout)
        if origin == .system { streams.insert(stream, at: 0) } else { streams.append(stream) }
        return playout
    }

    private func silence(_ samples: inout MutableSpan<Float>) {
        for index in samples.indices { samples[index] = 0 }
    }

    private func add(_ stream: Stream, to samples: inout MutableSpan<Float>, heard: Instant, now: Instant) {
        if mix.count != samples.count { mix = Array(repeating: 0, count: samples.count) }
        var span = mix.mutableSpan
        stream.playout.render(&span, heard: heard, now: now)
        for index in samples.indices { samples[index] = max(-1, min(1, samples[index] + mix[index])) }
    }

    private func tell(_ now: Instant) {
        let level = streams.map(\.playout.level).max() ?? 0
        let presented = streams.lazy.compactMap(\.playout.presented).first
        let isDue = now >= nextTelling
        if isDue { nextTelling = now + Self.tellingTime }
        let drops = isDue ? streams.map(\.playout.drops) : []
        let statistics = isDue ? streams.map(\.playout.statistics) : []
        shared.withLock { shared in
            shared.report.level = level
            shared.report.presented = presented
            if isDue {
                shared.report.streams = statistics
                shared.streamDrops = drops
            }
        }
    }
}
