import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP

/// The voice of a viewer on its way to the host, and what is known of that way.
///
/// It takes too little of a path to measure it, so the host's receiver reports tell: of loss each packet repeats those
/// before it, and where that does not help it is coded in fewer bits.
struct VoiceSending {
    /// The ceiling of what it may take, with all that it repeats.
    private static let most = Bitrate.megabits(1)

    private let stream: SoundSending
    private var path = BandwidthEstimator(most: most, start: most, isTransportWide: false)

    init(_ key: SRTPMasterKey, ssrc: SSRC, crypto: any CryptoProvider) throws(CryptoError) {
        stream = try SoundSending(
            .microphone, key: key, ssrc: ssrc, takes: Set(VoiceOffer.codecs),
            largestDatagram: SourceMedia.largestDatagram, isTransportWide: false, crypto: crypto)
    }

    /// What is to be captured and coded.
    var demand: SoundDemand { stream.demand }

    /// Begins anew after a time in which nothing was sent.
    func restart() { stream.restart() }

    /// Sends a packet, if it is of the encode that goes out.
    mutating func send(_ packet: EncodedSound, now: Instant, _ put: ([UInt8]) -> Void) {
        _ = stream.send(packet, transport: &path, now: now, put)
    }

    /// Takes the host's report.
    mutating func handle(_ block: ReportBlock, now: Instant) {
        stream.handle(block, now: now)
        path.handle(block, now: now)
        stream.follow(
            SoundPlanner.Path(estimate: path.estimate, proven: nil, most: Self.most, loss: 0), now: now)
    }

    func add(to all: inout SinkStatistics) {
        all.voice = SinkStatistics.Voice(
            encode: stream.encode, repeats: stream.repeats, packets: stream.packets, bytes: stream.bytes,
            loss: stream.loss)
        stream.addDrops(to: &all.drops)
    }
}
