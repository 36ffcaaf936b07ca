import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP

/// Sends the voice of the viewer's user to the host, and adapts it to the path.
///
/// The stream is too small to measure the path's bandwidth, so the host's receiver reports decide: after losses, each
/// packet repeats earlier packets; if that does not help, the voice is encoded at a lower rate.
struct VoiceSending: DropCounting {
    /// The maximum bitrate of the voice, including redundancy.
    private static let most = Bitrate.megabits(1)

    private let stream: SoundSending
    private var path = BandwidthEstimator(most: most, start: most, isTransportWide: false)

    init(_ key: SRTPMasterKey, ssrc: SSRC, crypto: any CryptoProvider) throws(CryptoError) {
        stream = try SoundSending(
            .microphone, key: key, ssrc: ssrc, takes: Set(VoiceOffer.codecs),
            largestDatagram: SourceMedia.largestDatagram, isTransportWide: false, crypto: crypto)
    }

    /// The demand for capture and encoding.
    var demand: SoundDemand { stream.demand }

    /// Resets the state after a pause in sending.
    func restart() { stream.restart() }

    /// Sends a packet; ignores a packet of an encoding that is not in use.
    mutating func send(_ packet: EncodedSound, now: Instant, _ put: ([UInt8]) -> Void) {
        _ = stream.send(packet, transport: &path, now: now, put)
    }

    /// Handles the host's receiver report on the voice.
    mutating func handle(_ block: ReportBlock, now: Instant) {
        stream.handle(block, now: now)
        path.handle(block, now: now)
        stream.follow(
            SoundPlanner.Path(estimate: path.estimate, proven: nil, most: Self.most, loss: 0), now: now)
    }

    var statistics: SentSound { stream.statistics }
    var allDrops: [String: Int] { stream.allDrops }
}
