package import HelioCore

/// The playout of a sound stream: receives packets, and renders the samples that the output requests.
///
/// Packets wait in `SoundPackets` and are decoded when needed into a `SoundLine` at 48 kHz, which a `SoundResampler`
/// converts to the output's rate. `SoundArrivals` determines how long packets have to wait, in addition to the duration
/// of the requested chunk. `DriftControl` corrects small errors of the delay by playing faster or slower by fractions
/// of a cent; larger errors are corrected by cutting out or repeating a pitch period, and very large errors, after a
/// stall, by a jump. Missing sound is recovered from the packet after it, or concealed for at most `concealment`; then
/// the output is silent until sound resumes at the target delay. All of these transitions are faded.
///
/// The packet buffer, which replaces the specification's ring buffer (requirement row 59), is bounded by time. The
/// input for each chunk is computed from input and output rates (requirement row 75), and an underrun yields silence. A
/// platform's output therefore needs no buffer besides its device's own.
///
/// This type is not Sendable: the output's thread calls `render`, the network's thread `handle`, and the owner
/// synchronises both.
package final class SoundPlayout {
    package struct Configuration: Sendable, Hashable {
        /// The format of the requested samples; 8 to 192 kHz, one or two channels.
        package var output: SoundFormat
        /// The minimum time that packets are buffered against jitter, in addition to the requested chunk.
        package var leastDelay: Duration = .microseconds(2500)
        /// The maximum time that packets are buffered against jitter, in addition to the requested chunk.
        package var mostDelay: Duration = .milliseconds(500)
        /// The maximum media time between the first and the last buffered packet.
        package var capacity: Duration = .seconds(1)
        /// The length of the resampler's filter in frames: see `SoundResampler`.
        package var filterTaps = 32

        package init(output: SoundFormat = .standard) {
            self.output = output
        }
    }

    /// Makes a decoder for a codec, preferably with this output format.
    package typealias DecoderMaker = (SoundCodec, SoundFormat) throws(HelioError) -> any SoundDecoding

    package let configuration: Configuration

    /// The volume as an amplitude factor, 0...1. A change is ramped, so that it does not click.
    package var volume: Float = 1 {
        didSet { volume = volume.isFinite ? min(max(volume, 0), 1) : 1 }
    }
    /// True if the output is muted. A change is ramped, so that it does not click.
    package var isMuted = false

    /// A capture time on the source's clock, and the time at which the sound captured then is heard here. It is `nil`
    /// while nothing is heard (muted, at volume 0, silent for a second), during concealment, and without a
    /// `SoundClock`.
    package internal(set) var presented: (captured: Instant, heard: Instant)?
    /// The recent peak of the output, 0...1, for a level meter; it decays by 20 dB per second.
    package internal(set) var level: Float = 0
    package internal(set) var statistics = SoundStatistics()
    package internal(set) var drops = DropCounter<SoundDrop>()

    // MARK: Receiving

    /// The rate of media times, in hertz.
    static let rate = 48000
    /// The maximum plausible deviation of a packet's transit from the least transit, in seconds: earlier and later.
    private static let implausible = (early: 0.2, late: 10.0)
    /// The number of consecutive packets with implausible but mutually consistent times that begin a new stream.
    private static let strayLimit = 5
    private static let seenCount = 1024

    let makeDecoder: DecoderMaker
    var decoders: [SoundCodec: any SoundDecoding] = [:]
    var refused: Set<SoundCodec> = []
    /// The media time and the arrival time of the stream's first packet.
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
    /// True while sound is played. False before the first sound, in silence for which the source sends no packets
    /// (DTX), and after packets stop.
    var isPlaying = false
    /// The media time of the next frame to be appended to the line.
    var head: Int64 = 0
    /// The sequence number of the last packet decoded.
    var lastSequence: UInt64?
    var lastCodec: SoundCodec?
    /// The number of frames in the last packet decoded.
    var packetFrames: Int64 = 240
    /// The repeater that provides concealment once the codec provides no more; `nil` before.
    var repeater: PitchRepeater?
    /// The number of consecutive concealed frames.
    var concealed = 0
    /// The number of concealed frames by which `head` was not advanced, as it is not known whether their packet is lost
    /// or late.
    var unaccounted: Int64 = 0
    /// True if sound ended without notice, and it is not known whether the source intended silence.
    var brokeOff = false
    /// True if the interrupted sound was loud enough for the interruption to be audible.
    var brokeOffLoud = false
    /// True if silence was appended to the line last, so that sound has to fade in.
    var isSilent = true
    /// True from `begin` until the first packet is played.
    var isLeading = false
    /// True if the concealment is loud enough for its end to be audible.
    var concealsLoud = false
    /// The time at which playback first tried to resume after an interruption, in seconds since the first packet.
    var resumed: Double?
    var lastStretch = -1.0
    /// The number of frames since the output was last audible.
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

    /// Handles a received packet. Packets may arrive in any order.
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

    /// Updates the source's mapping from media time to its clock.
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

    /// Restarts for a new stream. The sound already in the line is still played.
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

    /// Converts an instant to seconds since the first packet's arrival; `nil` before a packet has arrived.
    func seconds(_ instant: Instant) -> Double? {
        origin.map { (instant - $0.at).inSeconds }
    }

    /// The time at which a media time was captured, on the source's clock; `nil` if it is unknown.
    func captured(_ time: Double) -> Instant? {
        guard let clock, let origin else { return nil }
        let ahead = time - Double(clock.time &- origin.time)
        guard abs(ahead) < 3600 * Double(Self.rate) else { return nil }
        return clock.captured + .nanoseconds(Int64(ahead * 1e9 / Double(Self.rate)))
    }
}
