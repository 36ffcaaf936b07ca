import HelioCore
import HelioMedia
import HelioPlayout

/// A sound source, a network with delay and loss, and an output that requests samples, on virtual time.
final class SoundWorld {
    struct Options {
        var output = SoundFormat.standard
        var filterTaps = 32
        /// The duration that the output requests at a time.
        var chunk = Duration.milliseconds(5)
        /// A packet's length in frames.
        var packetFrames = 240
        /// The relative excess of the source's clock rate over the local one.
        var drift = 0.0
        var codec: @Sendable (Duration) -> SoundCodec = { _ in .pcm }
        /// Returns whether there is sound; silence isn't sent.
        var talks: @Sendable (Duration) -> Bool = { _ in true }
        /// The path's delay, and the largest random addition, uniformly distributed from zero.
        var delay: @Sendable (Duration) -> Duration = { _ in .milliseconds(10) }
        var jitter = Duration.zero
        var loss = 0.0
        /// The number of consecutive packets in a loss.
        var burst = 1
        /// The number of earlier packets that each packet repeats; 0 for none.
        var redundancy = 0
        /// Intervals in which nothing arrives; everything held back arrives at their end.
        var stalls: [Range<Duration>] = []
        var recovers = false
        var seed: UInt64 = 1
        var firstSequence: UInt64 = 65500
        var tone = Tone()
        var records = true

        /// An output that simulates an hour in moments, for tests that don't check its quality.
        static var cheap: Options {
            var options = Options()
            options.output = SoundFormat(sampleRate: 8000, channels: 1)
            options.filterTaps = 2
            options.tone.frequency = 400
            return options
        }

        /// Adds an interval in which nothing arrives, in milliseconds.
        mutating func stall(_ from: Int, _ to: Int) {
            stalls.append(Duration.milliseconds(from)..<Duration.milliseconds(to))
        }
    }

    let options: Options
    let playout: SoundPlayout
    private(set) var now = Instant(nanoseconds: 5_000_000_000)
    /// The first channel of the played samples.
    private(set) var played: [Float] = []
    /// The longest run of silent samples since sound has begun.
    private(set) var longestSilence = 0
    private(set) var begun = false
    /// For each render, the time since its first sample was captured in ms, as measured and as the playout reports it.
    private(set) var delays: [(at: Duration, captured: Double)] = []
    private(set) var lostPackets = 0

    private let start: Instant
    private var random: SeededGenerator
    private var sent = 0
    private var sequence: UInt64
    private var silent = true
    private var losing = 0
    private var flying: [(at: Instant, order: Int, packet: ReceivedSound)] = []
    private var order = 0
    private var history: [ReceivedSound] = []
    private var nextRender: Instant
    private var silence = 0
    private var samples: [Float]
    private static let firstTime: Int64 = 1 << 33

    init(_ options: Options = Options(), mostDelay: Duration = .milliseconds(500)) {
        self.options = options
        var configuration = SoundPlayout.Configuration(output: options.output)
        configuration.filterTaps = options.filterTaps
        configuration.mostDelay = mostDelay
        let (tone, recovers) = (options.tone, options.recovers)
        playout = SoundPlayout(configuration) { codec, format in
            ToneDecoder(codec, format, tone: tone, recovers: recovers)
        }
        start = now
        random = SeededGenerator(seed: options.seed)
        sequence = options.firstSequence
        nextRender = now + .microseconds(1700)
        let frames = Int(options.chunk.nanoseconds * Int64(options.output.sampleRate) / 1_000_000_000)
        samples = [Float](repeating: 0, count: frames * options.output.channels)
        playout.handle(SoundClock(mediaTime: Self.firstTime, captured: Instant(nanoseconds: 77)))
    }

    var elapsed: Duration { now - start }
    var frames: Int { samples.count / options.output.channels }
    /// The part of `played` from a time on.
    func played(from: Duration) -> [Float] {
        Array(played.dropFirst(Int(from.inSeconds * Double(options.output.sampleRate))))
    }

    /// Delivers an extra packet.
    func deliver(_ packet: ReceivedSound) {
        playout.handle(packet, now: now)
    }

    /// The send time of a packet: that of its last sample's capture.
    private func sending(_ number: Int) -> Instant {
        let end = Double((number + 1) * options.packetFrames) / 48000 / (1 + options.drift)
        return start + .nanoseconds(Int64(end * 1e9))
    }

    func run(_ duration: Duration) {
        let end = now + duration
        while true {
            let send = sending(sent)
            let next = min(send, nextRender, flying.first?.at ?? send)
            guard next < end else { break }
            now = next
            if let first = flying.first, first.at <= now {
                flying.removeFirst()
                var packet = first.packet
                packet.arrival = now
                playout.handle(packet, now: now)
            } else if send <= now {
                self.send()
            } else {
                render()
            }
        }
        now = end
    }

    private func send() {
        let time = Int64(sent) * Int64(options.packetFrames)
        let at = elapsed
        sent += 1
        guard options.talks(at) else {
            silent = true
            return
        }
        let packet = ReceivedSound(
            codec: options.codec(at), payload: ToneDecoder.payload(options.packetFrames),
            sequence: ExtendedSequence(sequence), mediaTime: Self.firstTime + time, beginsTalk: silent, arrival: now)
        silent = false
        sequence += 1
        // Nothing from before a longer silence is repeated, as no receiver would use it.
        let earlier = history.suffix(options.redundancy).filter {
            packet.mediaTime - $0.mediaTime <= SoundRepeats.oldest
        }
        defer {
            history.append(packet)
            if history.count > 8 { history.removeFirst() }
        }
        if losing > 0 {
            losing -= 1
            lostPackets += 1
            return
        }
        if options.loss > 0, random.unit() < options.loss / Double(options.burst) {
            losing = options.burst - 1
            lostPackets += 1
            return
        }
        var arrival = now + options.delay(at) + .nanoseconds(Int64(random.unit() * Double(options.jitter.nanoseconds)))
        for stall in options.stalls where stall.contains(arrival - start) { arrival = start + stall.upperBound }
        for var again in earlier {
            again.isRedundant = true
            fly(again, arrival)
        }
        fly(packet, arrival)
    }

    private func fly(_ packet: ReceivedSound, _ at: Instant) {
        order += 1
        let place = flying.lastIndex { $0.at <= at }
        flying.insert((at, order, packet), at: place.map { $0 + 1 } ?? 0)
    }

    private func render() {
        var span = samples.mutableSpan
        let heard = now + .milliseconds(15)
        playout.render(&span, heard: heard, now: now)
        nextRender = nextRender + options.output.duration(ofFrames: frames)
        if let presented = playout.presented {
            let captured =
                start
                + .nanoseconds(
                    Int64(Double((presented.captured - Instant(nanoseconds: 77)).nanoseconds) / (1 + options.drift)))
            delays.append((elapsed, (heard - captured).milliseconds))
        }
        let channels = options.output.channels
        for index in stride(from: 0, to: samples.count, by: options.records ? channels : channels * 2) {
            let sample = samples[index]
            if options.records { played.append(sample) }
            if abs(sample) > 0.1 { begun = true }
            silence = abs(sample) < 1e-3 && begun ? silence + (options.records ? 1 : 2) : 0
            longestSilence = max(longestSilence, silence)
        }
    }
}
