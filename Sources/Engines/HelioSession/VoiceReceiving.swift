internal import DequeModule
import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP

/// Receives a viewer's voice at the host, and detects whether the viewer is speaking.
final class VoiceReceiving: DropCounting {
    /// The silence after which the viewer counts as no longer speaking.
    private static let quietTime = Duration.seconds(3)
    /// The maximum number of packets that wait for `poll`.
    private static let mostWaiting = 256

    private let stream: SoundReceiving
    private var waiting = Deque<ReceivedSound>()
    private var drops = DropCounter<MediaDrop>()
    private var lastPacket: Instant?
    private var isSpeaking = false
    private var told = false

    init(_ key: SRTPMasterKey, ssrc: SSRC, crypto: any CryptoProvider) throws(CryptoError) {
        stream = try SoundReceiving(
            VoiceOffer.sound(key), ssrc: ssrc, takes: Set(VoiceOffer.codecs), crypto: crypto)
    }

    /// Handles a datagram that claims to be the viewer's voice.
    func handle(_ datagram: consuming [UInt8], now: Instant) {
        guard let (packet, header, sequence) = stream.open(rtp: datagram) else { return }
        stream.handle(packet, header, sequence, now: now) { output in
            guard case .sound(let sound) = output else { return }
            guard waiting.count < Self.mostWaiting else { return drops.count(.voiceQueueFull) }
            waiting.append(sound)
            lastPacket = now
            isSpeaking = true
        }
    }

    func poll() -> ReceivedSound? { waiting.popFirst() }

    func pollSpeaking() -> Bool? {
        guard isSpeaking != told else { return nil }
        told = isSpeaking
        return told
    }

    // MARK: Timers

    var deadline: Deadline? {
        guard isSpeaking, let lastPacket else { return nil }
        return Deadline(at: lastPacket + Self.quietTime, why: "a viewer is silent")
    }

    func tick(now: Instant) {
        if let deadline, now >= deadline.at { isSpeaking = false }
    }

    // MARK: Reports and statistics

    func makeReport(now: Instant) -> ReportBlock? { stream.makeReport(now: now) }
    var statistics: SinkStatistics.Sound { stream.statistics }

    var allDrops: [String: Int] { .sum(stream, drops.named("media-")) }
}
