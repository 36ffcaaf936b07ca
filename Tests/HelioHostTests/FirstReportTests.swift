import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioSession
import HelioSimulation
import Testing

/// The times of a viewer's reports: the first one shows the host the viewer's address.
@Suite("A viewer's first reports")
struct FirstReportTests {
    private static func ends() throws -> (source: SourceMedia, sink: SinkMedia) {
        var random = SeededGenerator(seed: 1)
        let crypto = OpenSSLCrypto()
        let key = SRTPMasterKey(profile: StreamOffer.profile, using: &random)
        let offer = StreamOffer(
            format: .test, mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &random),
            controlKey: SealedKey(using: &random), allowsControl: false)
        let source = try SourceMedia(
            offer: offer, viewerKey: key, ssrc: SSRC(1), retransmissionSSRC: SSRC(2), paritySSRC: SSRC(3),
            viewerSSRC: SSRC(4), home: PathID.viewer, crypto: crypto, now: .zero)
        let sink = try SinkMedia(
            offer: offer, viewerKey: key, hostSSRC: SSRC(1), retransmissionSSRC: SSRC(2), paritySSRC: SSRC(3),
            viewerSSRC: SSRC(4), crypto: crypto, now: .zero)
        return (source, sink)
    }

    /// Returns ends whose sink has reported once and was sent a keyframe.
    static func playingEnds() throws -> (source: SourceMedia, sink: SinkMedia) {
        let (source, sink) = try ends()
        var random = SeededGenerator(seed: 2)
        source.play(isFirst: true, now: .zero)
        sink.report(now: .zero)
        while let output = sink.poll() {
            guard case .datagram(let bytes) = output else { continue }
            source.handle(bytes, from: PathID(40_000), now: .zero, random: &random)
        }
        var encoder = TestEncoder(seed: 3)
        for slice in encoder.frame(keyframe: true, now: .zero) {
            source.send(PacketizedSlice(slice, codec: .h264, limits: source.largestPayload), now: .zero)
        }
        return (source, sink)
    }

    /// The times in milliseconds at which the sink sends reports by itself within two seconds.
    private static func reports(_ sink: SinkMedia) -> [Int64] {
        var times: [Int64] = []
        while let due = sink.deadline, due.at <= Instant.zero + .seconds(2) {
            sink.tick(now: due.at)
            while let output = sink.poll() {
                // The first packet's type is not encrypted: 201 is a receiver report (RFC 3711 section 3.4).
                guard case .datagram(let bytes) = output, bytes[1] == 201 else { continue }
                times.append(due.at.nanoseconds / 1_000_000)
            }
        }
        return times
    }

    @Test("as long as no media come, one follows another after 40, 80 and 160 ms, and so on up to half a second")
    func withoutMedia() throws {
        let sink = try Self.ends().sink
        sink.report(now: .zero)
        while sink.poll() != nil {}
        let expected: [Int64] = [40, 120, 280, 600, 1100, 1600]
        #expect(Self.reports(sink) == expected)
    }

    @Test("once media come, they are half a second apart")
    func withMedia() throws {
        let (source, sink) = try Self.playingEnds()
        let packet = try #require(source.pollDatagram())
        sink.handle(packet.bytes, now: .zero + .milliseconds(30))
        let expected: [Int64] = [500, 1000, 1500, 2000]
        #expect(Self.reports(sink) == expected)
    }
}
