package import HelioCore

/// Plays a stream of sound: receives packets, and fills the samples that the output requests.
///
/// Packets wait in `SoundPackets` and are decoded when needed, into `SoundLine`, at 48 kHz; a `SoundResampler` converts
/// that to the output's rate. `SoundArrivals` determines how long packets have to wait, beyond the requested chunk.
/// `DriftControl` corrects small errors of the delay by playing faster or slower by fractions of a cent; larger ones
/// are corrected by cutting out or repeating a pitch period, and very large ones, after a stall, by a jump. Missing
/// sound is recovered from the packet after it, or concealed for at most `concealment`; then it is silent until sound
/// resumes, at the delay that it should have. All of these transitions are faded.
///
/// The ring of row 59, from which the spec plays, is bounded by time here, and the input for each chunk is computed
/// from input and output rates (requirement row 75); an underrun yields silence (defect 10). A platform's output needs
/// no ring but its device's own.
///
/// Not Sendable: its owner synchronises access. The output's thread calls `render`, the network's thread `handle`.
package final class SoundPlayout {
    package struct Configuration: Sendable, Hashable {
        /// The format of the requested samples; 8 to 192 kHz, one or two channels.
        package var output: SoundFormat
        /// The least and longest time that packets are held to even out their arrivals, beyond the requested chunk.
        package var leastDelay: Duration = .microseconds(2500)
        package var mostDelay: Duration = .milliseconds(500)
        /// The limit of the buffered time.
        package var capacity: Duration = .seconds(1)
        /// The length of the resampler's filter: see `SoundResampler`.
        package var filterTaps = 32

        package init(output: SoundFormat = .standard) {
            self.output = output
        }
    }

    /// Makes a decoder for a codec; the format is the wanted output.
    package typealias DecoderMaker = (SoundCodec, SoundFormat) throws(HelioError) -> any SoundDecoding

    package let configuration: Configuration

    /// The volume, 0...1, as an amplitude factor. It changes without a click.
    package var volume: Float = 1 {
        didSet { volume = volume.isFinite ? min(max(volume, 0), 1) : 1 }
    }
    /// True if the output is muted. It changes without a click.
    package var isMuted = false

    /// A capture time on the source's clock, and when the sound captured then is heard at this end; `nil` while nothing
    /// is heard (muted, at volume 0, silent for a second), during concealment, and without a `SoundClock`.
    package internal(set) var presented: (captured: Instant, heard: Instant)?
    /// The recent peak of the output, 0...1, for a meter: it falls by 20 dB a second.
    package internal(set) var level: Float = 0
    package internal(set) var statistics = SoundStatistics()
    package internal(set) var drops = DropCounter<SoundDrop>()

    // MARK: Receiving

    /// The rate of media times, in hertz.
    static let rate = 48000
    /// Media times further than this from those of present packets are impossible, in seconds: too early, and too late.
    private static let implausible = (early: 0.2, late: 10.0)
    /// This many consecutive packets with impossible times that fit each other begin a new stream.
    private static let strayLimit = 5
    private static let seenCount = 1024

    let makeDecoder: DecoderMaker
    var decoders: [SoundCodec: any SoundDecoding] = [:]
    var refused: Set<SoundCodec> = []
    /// The stream's first packet: its media time, and its arrival.
    private var origin: (time: Int64, at: Instant)?
    private var clock: (time: Int64, captured: Instant)?
    private var seen = [UInt64](repeating: .max, count: SoundPlayout.seenCount)
    private var strays = (count: 0, transit: 0.0)
    var packets: SoundPackets
    var arrivals: SoundArrivals

    // MARK: Playing

    var line: SoundLine
    var resampler: SoundResampler
    var schedule: OutputSchedule
    var control = DriftControl()
    /// False before the first sound, in silence that the source does not send, and after packets stop.
    var isPlaying = false
    /// The media time of the next frame to be appended to the line.
    var head: Int64 = 0
    /// The number of the last packet decoded.
    var lastSequence: UInt64?
    var lastCodec: SoundCodec?
    /// The frames in a packet, by the last one decoded.
    var packetFrames: Int64 = 240
    /// Concealment: its source of sound, how many consecutive frames it has made, and how many of them don't stand for
    /// stream time yet, because the packet may be lost, or only late.
    var repeater: PitchRepeater?
    var concealed = 0
    var unaccounted: Int64 = 0
    /// True if sound broke off, and it is not known whether silence was intended.
    var brokeOff = false
    /// True if the sound that broke off was loud enough for the break to be audible.
    var brokeOffLoud = false
    /// True if silence was appended last.
    var isSilent = true
    /// True from `begin` until the first packet is played.
    var isLeading = false
    /// True if the concealed sound is loud enough to be missed.
    var concealsLoud = false
    /// When playback first tried to resume after sound broke off, in seconds.
    var resumed: Double?
    var lastStretch = -1.0
    /// The number of samples since the output was last audible.
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

    /// Handles a packet, in any order.
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

    /// Handles the source's mapping of a media time to its clock.
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

    /// Restarts for a new stream; the sound in the line is still played.
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

    /// The seconds since the first packet arrived; `nil` before.
    func seconds(_ instant: Instant) -> Double? {
        origin.map { (instant - $0.at).inSeconds }
    }

    /// When a media time was captured at the source; `nil` if that isn't known.
    func captured(_ time: Double) -> Instant? {
        guard let clock, let origin else { return nil }
        let ahead = time - Double(clock.time &- origin.time)
        guard abs(ahead) < 3600 * Double(Self.rate) else { return nil }
        return clock.captured + .nanoseconds(Int64(ahead * 1e9 / Double(Self.rate)))
    }
}
