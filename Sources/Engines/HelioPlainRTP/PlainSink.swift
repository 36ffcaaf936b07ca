internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioRTP

/// The receiver of an unencrypted RTP session from another program's server or publisher: it validates packets, outputs
/// complete frames and audio packets, and sends receiver reports.
///
/// Lost packets are not retransmitted. After a loss, all frames are dropped until the next keyframe, which can be
/// requested only if the SDP allows that. Capture times, on the sender's clock, are known from the first sender report
/// on.
package final class PlainSink: DropCounting {
    package enum Output {
        case frame(ReceivedFrame)
        case sound(ReceivedSound)
        case soundClock(SoundClock)
        case packet([UInt8], RTPChannel, PlainTrack)
    }

    /// The idle timeout of the stream of a server.
    package static let vanishTime = Duration.seconds(5)
    /// The maximum difference between the NTP clocks of audio and video for synchronisation. RFC 3550 requires one
    /// clock, but some cameras have two.
    private static let mostApart = Duration.seconds(10)

    private let patience: Duration
    private let video: PlainReception
    private let sound: PlainReception?
    private var unpacker: SoundUnpacker?
    private var outputs = Deque<Output>()
    /// The sender report time of the last `soundClock` output.
    private var soundTime: Instant?

    /// - Parameters:
    ///   - format: the receive format of the video, from the SDP.
    ///   - ssrc: this end's SSRC for video; the SSRC for audio is `ssrc + 1`.
    ///   - sound: the audio stream that was set up; `nil` without audio.
    ///   - patience: the time without packets after which the sender counts as vanished.
    ///   - firstFrame: the index of the first frame output.
    package init(
        _ format: ReceiveFormat, ssrc: SSRC, sound: PlainSound? = nil, patience: Duration = PlainSink.vanishTime,
        firstFrame: UInt64 = 0, now: Instant
    ) {
        self.patience = patience
        video = PlainReception(format, ssrc: ssrc, firstFrame: firstFrame, now: now)
        self.sound = sound.map {
            PlainReception($0.receiveFormat, ssrc: SSRC(ssrc.rawValue &+ 1), firstFrame: 0, now: now)
        }
        unpacker = sound.map { SoundUnpacker($0) }
    }

    /// The human-readable reason if the video can't be decoded; `nil` otherwise.
    package var obstacle: String? { video.stream.obstacle }

    /// True once a video packet has arrived.
    package var hasBegun: Bool { video.stream.hasBegun }

    package func poll() -> Output? { outputs.popFirst() }

    // MARK: Receiving

    package func handle(
        _ packet: consuming [UInt8], _ channel: RTPChannel, _ track: PlainTrack = .video, now: Instant
    ) {
        switch track {
        case .video: video.handle(packet, channel, now: now)
        case .sound: sound?.handle(packet, channel, now: now)
        }
        drain()
    }

    /// Restarts the idle timeout after a sign of life outside the media, such as the response to PLAY.
    package func begin(now: Instant) { video.begin(now: now) }

    /// Drops frames until the next keyframe, after an error of the decoder.
    package func waitForKeyframe(now: Instant) {
        video.stream.decoderFailed(now: now)
        drain()
    }

    private func drain() {
        while let output = video.stream.poll() {
            switch output {
            case .frame(var frame):
                if frame.sourceTiming == nil { frame.sourceTiming = timing(of: frame) }
                outputs.append(.frame(frame))
            // The jitter buffer limits the rate of these requests (RFC 4585 section 6.3.1).
            case .pictureLoss(let source): video.sendPictureLoss(of: source)
            case .part, .orientation, .packet, .restored, .nack, .fullIntraRequest, .referenceSelection: break
            }
        }
        while let packet = video.poll() { outputs.append(.packet(packet.bytes, packet.channel, .video)) }
        guard let sound else { return }
        while let output = sound.stream.poll() {
            guard case .packet(let packet) = output else { continue }
            for unit in unpacker?.take(packet, of: sound.stream.source) ?? [] { outputs.append(.sound(unit)) }
        }
        while let packet = sound.poll() { outputs.append(.packet(packet.bytes, packet.channel, .sound)) }
        tellTime()
    }

    /// Returns the capture time of a frame on the sender's clock; `nil` before the first sender report.
    private func timing(of frame: ReceivedFrame) -> FrameTiming? {
        guard let clock = video.clock else { return nil }
        let ticks = Int32(bitPattern: UInt32(truncatingIfNeeded: frame.mediaTime) &- clock.timestamp)
        let captured = clock.time + MediaClock.duration(Int64(ticks))
        return FrameTiming(damaged: captured, captured: captured)
    }

    /// Outputs the mapping of audio timestamps to the sender's clock, once for each new sender report.
    private func tellTime() {
        guard let clock = sound?.clock, clock.time != soundTime, let unpacker,
            let mediaTime = unpacker.mediaTime(clock.timestamp)
        else { return }
        if let video = video.clock {
            let distance = clock.time - video.time
            guard max(distance, .zero - distance) <= Self.mostApart else { return }
        }
        soundTime = clock.time
        outputs.append(.soundClock(SoundClock(mediaTime: mediaTime, captured: clock.time)))
    }

    // MARK: Sending

    /// Opens NAT bindings and firewalls for incoming packets: sends an RTP packet without payload, and a receiver
    /// report, for each track.
    package func punch(now: Instant) {
        video.punch(now: now)
        sound?.punch(now: now)
        drain()
    }

    package func sayGoodbye() {
        video.sayGoodbye()
        sound?.sayGoodbye()
        drain()
    }

    // MARK: Timers

    package var deadline: Deadline? {
        let vanish = Deadline(at: lastHeard + patience, why: "the other end vanished")
        return .earliest(.earliest(video.deadline, sound?.deadline), vanish)
    }

    package func tick(now: Instant) {
        video.tick(now: now)
        sound?.tick(now: now)
        drain()
    }

    private var lastHeard: Instant { max(video.lastHeard, sound?.lastHeard ?? video.lastHeard) }

    /// True once the video has ended with a BYE, and no stream has replaced it.
    package func hasEnded(now: Instant) -> Bool { video.hasEnded(now: now) }

    package func hasVanished(now: Instant) -> Bool { now - lastHeard >= patience }

    // MARK: Statistics

    /// The statistics of the video, and the bytes of the audio, without the drops.
    package var statistics: SinkStatistics {
        SinkStatistics(
            video: video.stream.statistics, bytesReceived: video.bytesReceived + (sound?.bytesReceived ?? 0))
    }

    /// Counts of the drops of the video and the audio, by name.
    package var allDrops: [String: Int] {
        .sum(
            video.stream, video.drops.named("media-"), sound?.stream, sound?.drops.named("media-"),
            unpacker?.drops.named("media-"))
    }
}
