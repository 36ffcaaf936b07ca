package import HelioCore

/// Plays a stream of sound: takes packets as they come, and fills what the output asks for.
///
/// Packets wait in `SoundPackets` and are decoded when they are needed, into `SoundLine`, 48 kHz; a `SoundResampler`
/// makes the output's rate of it. `SoundArrivals` says how long packets have to wait, beyond the chunk that is asked
/// for. Where the delay isn't what it should be, `DriftControl` mends a little of it by playing faster or slower by
/// parts of a cent; more, by leaving out or repeating a pitch period; far more, after a stall, by a jump. What is
/// missing is brought back from the packet after it, or concealed for at most `concealment`, and then it is silent
/// until sound comes again, which starts at the delay that it should have. All of that is faded over.
///
/// The ring of row 59, from which the spec plays, is bounded here by time, and what each chunk needs is computed from
/// input and output rates (row 75); an underrun gives silence (defect 10). A platform's output needs no other ring than
/// its device's own.
///
/// Not Sendable: its owner guards it. `render` is called by the output's thread, `handle` by that of the network.
package final class SoundPlayout {
    package struct Configuration: Sendable, Hashable {
        /// The format in which the output asks for samples; any rate from 8 to 192 kHz, one or two channels.
        package var output: SoundFormat
        /// The least and most time that packets are held to even out how they come, beyond the chunk that is asked for.
        package var leastDelay: Duration = .microseconds(2500)
        package var mostDelay: Duration = .milliseconds(500)
        /// The bound of what is buffered.
        package var capacity: Duration = .seconds(1)
        /// The length of the resampler's filter: see `SoundResampler`.
        package var filterTaps = 32

        package init(output: SoundFormat = .standard) {
            self.output = output
        }
    }

    /// Makes a decoder of a codec that gives the format.
    package typealias DecoderMaker = (SoundCodec, SoundFormat) throws(HelioError) -> any SoundDecoding

    package let configuration: Configuration

    /// The loudness, 0...1, as an amplitude. Changes without a click.
    package var volume: Float = 1 {
        didSet { volume = volume.isFinite ? min(max(volume, 0), 1) : 1 }
    }
    /// True where nothing is heard. Changes without a click.
    package var isMuted = false

    /// A moment of the source's clock, and when its sound is heard here; `nil` while nothing can be heard (muted, at
    /// volume 0, silent for a second), while sound is made up in place of what is missing, and without a clock.
    package internal(set) var presented: (captured: Instant, heard: Instant)?
    /// The recent peak of what is heard, 0...1, for a meter: it falls by 20 dB a second.
    package internal(set) var level: Float = 0
    package internal(set) var statistics = SoundStatistics()
    package internal(set) var drops = DropCounter<SoundDrop>()

    // MARK: What comes

    /// The rate of media times.
    static let rate = 48000
    /// Times further than this from where packets are now can't be: seconds too early, and too late.
    private static let implausible = (early: 0.2, late: 10.0)
    /// So many packets in a row whose times can't be, but fit each other, are a stream that begins anew.
    private static let strayLimit = 5
    private static let seenCount = 1024

    let makeDecoder: DecoderMaker
    var decoders: [SoundCodec: any SoundDecoding] = [:]
    var refused: Set<SoundCodec> = []
    /// The stream's first packet: its time, and when it came.
    private var origin: (time: Int64, at: Instant)?
    private var clock: (time: Int64, captured: Instant)?
    private var seen = [UInt64](repeating: .max, count: SoundPlayout.seenCount)
    private var strays = (count: 0, transit: 0.0)
    var packets: SoundPackets
    var arrivals: SoundArrivals

    // MARK: What is played

    var line: SoundLine
    var resampler: SoundResampler
    var schedule: OutputSchedule
    var control = DriftControl()
    /// False before the first sound, in silence that isn't sent, and when nothing comes any more.
    var isPlaying = false
    /// The time in the stream of what is to be appended to the line next.
    var head: Int64 = 0
    /// The number of the last packet decoded.
    var lastSequence: UInt64?
    var lastCodec: SoundCodec?
    /// The frames of a packet, as they come lately.
    var packetFrames: Int64 = 240
    /// Concealment: what goes on with the sound, how many frames it has made in a row, and how many of them stand for
    /// no time of the stream yet, because the packet may be lost, or only late.
    var repeater: PitchRepeater?
    var concealed = 0
    var unaccounted: Int64 = 0
    /// True where sound broke off without its being known whether silence is meant.
    var brokeOff = false
    /// True where it was loud enough for that to be heard.
    var brokeOffLoud = false
    /// True where what was last appended is silence.
    var isSilent = true
    /// True from `begin` until the first packet is played.
    var isLeading = false
    /// True where what is concealed would be heard if it were missing.
    var concealsLoud = false
    /// When the first packet came after sound broke off, in seconds.
    var resumed: Double?
    var lastStretch = -1.0
    /// The samples since there was any sound at all.
    var quiet = 0
    var gain: Float = 0
    var isFirstGain = true

    package init(_ configuration: Configuration = Configuration(), makeDecoder: @escaping DecoderMaker) {
        precondition((1...2).contains(configuration.output.channels) && configuration.output.sampleRate >= 8000)
        self.configuration = configuration
        self.makeDecoder = makeDecoder
        let channels = configuration.output.channels
        packets = Self.makePackets(configuration)
        arrivals = Self.makeArrivals(configuration)
        line = SoundLine(channels: channels)
        resampler = SoundResampler(
            from: Self.rate, to: configuration.output.sampleRate, channels: channels, taps: configuration.filterTaps)
        schedule = OutputSchedule(rate: configuration.output.sampleRate)
    }

    /// Takes a packet, in whatever order.
    package func handle(_ packet: ReceivedSound, now: Instant) {
        let first = origin ?? (packet.mediaTime, packet.arrival)
        origin = first
        let time = packet.mediaTime &- first.time
        let arrival = (min(packet.arrival, now) - first.at).inSeconds
        let transit = arrival - Double(time) / Double(Self.rate)
        guard isPlausible(transit) else { return takeStray(packet, transit, now) }
        strays.count = 0
        let place = Int(packet.sequence.rawValue % UInt64(Self.seenCount))
        guard seen[place] != packet.sequence.rawValue else { return drops.count(.duplicate) }
        seen[place] = packet.sequence.rawValue
        arrivals.take(transit: transit, now: arrival)
        if lastSequence != nil, time + packetFrames <= head { return drops.count(.late) }
        statistics.packets += 1
        let dropped = packets.insert(
            SoundPackets.Packet(
                codec: packet.codec, payload: packet.payload, sequence: packet.sequence.rawValue, time: time,
                beginsTalk: packet.beginsTalk, isRedundant: packet.isRedundant, arrival: arrival))
        if dropped > 0 { drops.count(.overflow, dropped) }
    }

    /// Takes the source's word of when a time of the stream was heard there.
    package func handle(_ clock: SoundClock) {
        self.clock = (clock.mediaTime, clock.captured)
    }

    private func isPlausible(_ transit: Double) -> Bool {
        guard statistics.packets > 0 else { return true }
        let offset = transit - arrivals.shortest
        return offset > -Self.implausible.early && offset < Self.implausible.late
    }

    private func takeStray(_ packet: ReceivedSound, _ transit: Double, _ now: Instant) {
        drops.count(.implausible)
        strays = abs(transit - strays.transit) < 1 ? (strays.count + 1, transit) : (1, transit)
        guard strays.count >= Self.strayLimit else { return }
        statistics.restarts += 1
        restart()
        handle(packet, now: now)
    }

    /// Begins anew, as with another stream; what is in the line is played out.
    private func restart() {
        strays = (0, 0)
        origin = nil
        for index in seen.indices { seen[index] = .max }
        packets = Self.makePackets(configuration)
        arrivals = Self.makeArrivals(configuration)
        if isPlaying { pause() }
        lastSequence = nil
        brokeOff = false
    }

    private static func makePackets(_ configuration: Configuration) -> SoundPackets {
        SoundPackets(capacity: configuration.capacity.nanoseconds * Int64(rate) / 1_000_000_000)
    }

    private static func makeArrivals(_ configuration: Configuration) -> SoundArrivals {
        SoundArrivals(least: configuration.leastDelay.inSeconds, most: configuration.mostDelay.inSeconds)
    }

    // MARK: Time

    /// The seconds since the first packet came; `nil` before.
    func seconds(_ instant: Instant) -> Double? {
        origin.map { (instant - $0.at).inSeconds }
    }

    /// When a time of the stream was heard at the source; `nil` where that isn't known.
    func captured(_ time: Double) -> Instant? {
        guard let clock, let origin else { return nil }
        let ahead = time - Double(clock.time &- origin.time)
        guard abs(ahead) < 3600 * Double(Self.rate) else { return nil }
        return clock.captured + .nanoseconds(Int64(ahead * 1e9 / Double(Self.rate)))
    }
}
