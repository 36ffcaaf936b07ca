import HelioCore
import HelioMedia
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSDP
import HelioSimulation
import Testing

/// Sound and a picture on one transport.
struct SoundMediaTests {
    private static let at = Instant.zero + .milliseconds(1500)

    private struct Pair {
        var end: MediaEnd
        let video: Transceiver.ID
        let audio: Transceiver.ID
        let streams: [Transceiver.ID: SendingStream]
        let media: [NegotiatedMedia]
    }

    private static func pair(
        inStep: Bool = false, configure: (inout MediaTransportConfiguration) -> Void = { _ in }
    ) throws -> Pair {
        let sent = try SentTracks([(.video, "screen"), (.audio, inStep ? "screen" : "sound")])
        let end = MediaEnd("host", sent.media, sent.streams, configure: configure)
        return Pair(
            end: end, video: sent.ids[0], audio: sent.ids[1], streams: sent.streams, media: sent.media)
    }

    private static func slice(_ index: UInt64, at captured: Instant, bytes: Int = 3) -> EncodedSlice {
        EncodedSlice(
            frameIndex: index, annexB: [0, 0, 0, 1, 0x65] + [UInt8](repeating: 0x88, count: bytes), isFirst: true,
            isLast: true, isKeyframe: true, timing: FrameTiming(damaged: captured, captured: captured))
    }

    /// The receiver's player derives a capture time from the two timestamps of a sender report: it must be the
    /// source's, whenever each packet was sent. An app's clock has an arbitrary epoch.
    @Test(arguments: [true, false])
    func reportsTellWhenSoundAndPictureWereCaptured(isHostClock: Bool) throws {
        var pair = try Self.pair { $0.isHostClock = isHostClock }
        let captured = Self.at - .milliseconds(40)
        pair.end.transport.send(
            Self.slice(0, at: isHostClock ? captured : Instant.zero + .seconds(100_000)), codec: .h264,
            captured: isHostClock ? nil : captured, on: pair.video, now: Self.at)
        // Sound captured at the same time is sent earlier.
        pair.end.transport.send(
            audio: [0xFC, 1], timestamp: 480_000, marker: true, captured: captured, on: pair.audio,
            now: Self.at - .milliseconds(25))
        pair.end.tick(now: Self.at + .seconds(2))
        let reports = pair.end.rtcp.compactMap { packet in
            if case .senderReport(let report) = packet { report } else { nil }
        }
        for (track, rate) in [(pair.video, 90_000.0), (pair.audio, 48_000.0)] {
            let ssrc = try #require(pair.streams[track]).ssrc
            let report = try #require(reports.last { $0.ssrc == ssrc })
            let sent = try #require(pair.end.rtp.first { $0.header.ssrc == ssrc }).header.timestamp
            let told = Double(report.ntpTime) / 0x1p32 - Double(report.rtpTimestamp &- sent) / rate
            let expected = Double((captured + .seconds(3_900_000_000)).nanoseconds) / 1e9
            #expect(abs(told - expected) < 0.0005, "\(rate): \(told - expected)")
        }
    }

    /// libwebrtc uses the last playout delay that it received.
    @Test func aPictureThatComesToWaitForSoundIsToldSo() throws {
        var pair = try Self.pair()
        func delay() throws -> PlayoutDelay? {
            pair.end.transport.send(
                Self.slice(pair.end.transport.outbound(pair.video).map { UInt64($0.frames) } ?? 0, at: Self.at),
                codec: .h264, on: pair.video, now: Self.at)
            pair.end.drain()
            let section = try #require(pair.media.first { $0.transceiver == pair.video })
            let id = try #require(section.headerExtension(PlayoutDelay.uri)?.id)
            let ssrc = try #require(pair.streams[pair.video]).ssrc
            let packet = try #require(pair.end.rtp.last { $0.header.ssrc == ssrc })
            return PlayoutDelay(id: id, of: packet.header, in: packet.bytes.span.bytes)
        }
        #expect(try delay() == PlayoutDelay.none)
        var together = pair.streams
        together[pair.audio]?.stream = "screen"
        pair.end.transport.apply(pair.media, senders: together, now: Self.at)
        #expect(try delay() == .usual)
        pair.end.transport.apply(pair.media, senders: pair.streams, now: Self.at)
        #expect(try delay() == PlayoutDelay.none)
    }

    @Test func soundGoesAheadOfAPictureThatWaitsAndTakesItsShareOfTheRate() throws {
        func drained(withSound: Bool) throws -> (last: Instant, wait: Duration) {
            var pair = try Self.pair { $0.mostBitrate = .megabits(1) }
            pair.end.transport.send(
                Self.slice(0, at: Self.at, bytes: 50_000), codec: .h264, on: pair.video, now: Self.at)
            pair.end.drain()
            let audio = try #require(pair.streams[pair.audio]).ssrc
            let video = try #require(pair.streams[pair.video]).ssrc
            var now = Self.at
            var longest = Duration.zero
            // The marker bit is on the picture's last packet.
            while !pair.end.rtp.contains(where: { $0.header.ssrc == video && $0.header.marker }) {
                now = now + .milliseconds(5)
                try #require(now < Self.at + .seconds(5))
                if withSound {
                    let before = pair.end.rtp.count { $0.header.ssrc == audio }
                    pair.end.transport.send(
                        audio: [UInt8](repeating: 7, count: 80), timestamp: UInt32(before * 240), marker: false,
                        on: pair.audio, now: now)
                    pair.end.drain()
                    if pair.end.rtp.count(where: { $0.header.ssrc == audio }) == before { longest = .seconds(1) }
                }
                pair.end.tick(now: now)
            }
            return (now, longest)
        }
        let alone = try drained(withSound: false)
        let beside = try drained(withSound: true)
        #expect(beside.wait == .zero)
        // 124 bytes every 5 ms are a fifth of 1 Mbit/s.
        let stretch = (beside.last - Self.at).inSeconds / (alone.last - Self.at).inSeconds
        #expect(stretch > 1.15 && stretch < 1.35, "\(stretch)")
    }

    @Test func anEncoderIsToldWhatSoundLeaves() throws {
        var pair = try Self.pair { $0.mostBitrate = .megabits(2) }
        for step in 0..<400 as Range<Int64> {
            pair.end.transport.send(
                audio: [UInt8](repeating: 7, count: 80), timestamp: UInt32(step * 240), marker: false, on: pair.audio,
                now: Self.at + .milliseconds(5 * step))
            pair.end.tick(now: Self.at + .milliseconds(5 * step))
        }
        let told = try #require(pair.end.estimates.last)
        #expect(told < .kilobits(1820) && told > .kilobits(1750), "\(told)")
        // After a time of silence the rate is available again.
        for second in 3..<8 as Range<Int64> { pair.end.tick(now: Self.at + .seconds(second)) }
        #expect(pair.end.estimates.last == .megabits(2))
    }
}
