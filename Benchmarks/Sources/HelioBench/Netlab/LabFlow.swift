import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSession

/// A flow of ours through a simulated network, from `SourceMedia` to `SinkMedia`: encrypted, and with all RTCP reports.
struct LabFlow {
    let meter: LabMeter
    let source: LabSource
    let viewer: LabViewer

    /// - Parameter number: the number of the flow in its network.
    init(
        _ network: LabNetwork, number: Int, roundTrip: Duration, random: inout SeededGenerator
    ) throws(CryptoError) {
        let start = Instant.zero + network.starts[number]
        let first = UInt32(1 + number) << 8
        let (media, again, viewerSSRC, parity) = (SSRC(first), SSRC(first + 1), SSRC(first + 2), SSRC(first + 3))
        let address = IPAddress.v4(0x0A00_0002)
        let format = VideoFormat(
            codec: .h264, size: PixelSize(width: 1920, height: 1080), framesPerSecond: 60, bitrate: network.ceiling)
        let offer = StreamOffer(
            format: format, mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &random),
            controlKey: SealedKey(using: &random), allowsControl: false)
        let viewerKey = SRTPMasterKey(profile: StreamOffer.profile, using: &random)
        let crypto = OpenSSLCrypto()
        let sender = try SourceMedia(
            offer: offer, viewerKey: viewerKey, ssrc: media, retransmissionSSRC: again, paritySSRC: parity,
            viewerSSRC: viewerSSRC, home: address, crypto: crypto, now: start)
        let receiver = try SinkMedia(
            offer: offer, viewerKey: viewerKey, hostSSRC: media, retransmissionSSRC: again, paritySSRC: parity,
            viewerSSRC: viewerSSRC, crypto: crypto, now: start)
        let meter = LabMeter(start: start, end: Instant.zero + network.length, media: media, parity: parity)
        self.meter = meter
        source = LabSource(
            sender, to: PathID(address, port: UInt16(40_000 + number)),
            content: LabContent(network.script, seed: random.next()), ceiling: network.ceiling,
            givesRepairs: network.givesRepairs, meter: meter, random: &random)
        viewer = LabViewer(receiver, roundTrip: roundTrip, meter: meter)
    }
}
