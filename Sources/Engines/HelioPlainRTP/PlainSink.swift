internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioRTP

/// The receiving end of a plain RTP session of another program, be it a server that is played or a publisher that is
/// recorded: validates packets, outputs whole frames and audio, and sends receiver reports.
///
/// There is no retransmission, and keyframes can be requested only where the description offers it: after a loss all
/// frames are dropped up to the next keyframe. Capture times, on the sender's clock, are known once sender reports have
/// come.
package final class PlainSink {
    package enum Output {
        case frame(ReceivedFrame)
        case sound(ReceivedSound)
        case soundClock(SoundClock)
        case packet([UInt8], RTPChannel, PlainTrack)
    }

    /// The idle timeout of a server that was sent PLAY.
    package static let vanishTime = Duration.seconds(5)
    /// The largest difference between the tracks' clocks at which audio times are used. RFC 3550 demands one clock for
    /// both; some cameras have two.
    private static let mostApart = Duration.seconds(10)

    private let patience: Duration
    private let video: PlainReception
    private let sound: PlainReception?
    private var unpacker: SoundUnpacker?
    private var outputs = Deque<Output>()
    /// The time of the last `soundClock` output.
    private var soundTime: Instant?

    /// - Parameters:
    ///   - format: the video's format, as described.
    ///   - ssrc: this end's SSRC for video; audio uses the next higher one.
    ///   - sound: the audio stream that was set up; `nil` without audio.
    ///   - patience: the idle timeout of the other end.
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

    /// The reason why the pictures can't be shown, for people; `nil` while none is known.
    package var obstacle: String? { video.stream.obstacle }

    /// True once a packet of the video has arrived.
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

    /// Restarts the idle timeout on a sign of life outside the media, such as the response to PLAY.
    package func begin(now: Instant) { video.begin(now: now) }

    /// Drops frames up to the next keyframe, without which the decoder can't continue.
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
            // The jitter buffer limits the rate of requests (RFC 4585 section 6.3.1).
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

    /// The capture time of a frame, on the sender's clock; `nil` before the first sender report.
    private func timing(of frame: ReceivedFrame) -> FrameTiming? {
        guard let clock = video.clock else { return nil }
        let ticks = Int32(bitPattern: UInt32(truncatingIfNeeded: frame.mediaTime) &- clock.timestamp)
        let captured = clock.time + MediaClock.duration(Int64(ticks))
        return FrameTiming(damaged: captured, captured: captured)
    }

    /// Outputs the mapping of audio time to the sender's clock, once for each new sender report.
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

    /// Opens the return path through a firewall: sends an RTP packet without payload, and a receiver report, for each
    /// track.
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

    /// True once the video has ended: it sent BYE, and no stream has replaced it.
    package func hasEnded(now: Instant) -> Bool { video.hasEnded(now: now) }

    package func hasVanished(now: Instant) -> Bool { now - lastHeard >= patience }

    // MARK: Statistics

    /// Adds the statistics of the video, and the bytes and drops of the audio.
    package func add(to all: inout SinkStatistics) {
        all.add(video.stream, bytesReceived: video.bytesReceived + (sound?.bytesReceived ?? 0))
        all.drops.add(video.drops, as: "media-")
        all.drops.add(sound?.drops, as: "media-")
        all.drops.add(unpacker?.drops, as: "media-")
    }
}
