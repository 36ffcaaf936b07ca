import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP

// The sound streams that a viewer receives beside the video.

extension SinkMedia {
    /// Sets up a stream of sound, which the host sends with this SSRC.
    ///
    /// - Parameters:
    ///   - takes: the codecs that this viewer plays.
    ///   - crypto: the crypto provider for sound.
    func add(
        _ sound: StreamOffer.Sound, ssrc: SSRC, takes: Set<SoundCodec>, crypto: any CryptoProvider
    ) throws(CryptoError) {
        sounds.append(try SoundReceiving(sound, ssrc: ssrc, takes: takes, crypto: crypto))
    }

    /// The sound stream with the SSRC of a datagram; `nil` if there is none. The datagram is not authenticated yet.
    func sound(of datagram: [UInt8], isRTCP: Bool) -> SoundReceiving? {
        guard !sounds.isEmpty, let ssrc = datagram.span.bytes.uint32(at: isRTCP ? 4 : 8) else { return nil }
        return sounds.first { $0.ssrc.rawValue == ssrc }
    }

    func receive(
        _ datagram: consuming [UInt8], of sound: SoundReceiving, isRTCP: Bool, by transport: StreamTransport,
        now: Instant
    ) {
        if isRTCP {
            guard let packets = sound.open(rtcp: datagram) else { return }
            noteSound(by: transport, now)
            for packet in packets { sound.handle(packet, now: now) { take($0) } }
        } else {
            guard let (packet, header, sequence) = sound.open(rtp: datagram) else { return }
            noteSound(by: transport, now)
            let bytes = packet.span.bytes
            if let number = TransportSequence(id: StreamOffer.transportSequenceID, of: header, in: bytes) {
                arrivals.note(number.number, arrival: now)
            }
            sound.handle(packet, header, sequence, now: now) { take($0) }
        }
    }

    private func take(_ output: SoundReceiving.Output) {
        switch output {
        case .sound(let sound): put(.sound(sound))
        case .clock(let clock): put(.soundClock(clock))
        }
    }

    func soundReports(now: Instant) -> [ReportBlock] { sounds.compactMap { $0.makeReport(now: now) } }
}
