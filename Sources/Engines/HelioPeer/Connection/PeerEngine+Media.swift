package import HelioCore
import HelioMedia
import HelioProtection
package import HelioRTP

// Media: SRTP with the keys that DTLS gave (RFC 5764).

extension PeerEngine {
    // MARK: App's interface

    /// Sends a slice, packetized once for any number of peers, in the transceiver's stream. Slices have to be passed in
    /// order within a frame, and frames in order.
    ///
    /// - Parameter captured: when the picture was captured, on the clock of `now`, where the slice's timing is on an
    ///   app's clock; `nil` if unknown.
    package func send(
        _ slice: borrowing PacketizedSlice, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        advance(to: now)
        guard let media else { return drops.count(.notSending) }
        media.send(slice, captured: captured, on: id, now: now)
    }

    /// Packetizes and sends a slice that goes to this peer alone.
    package func send(
        _ slice: EncodedSlice, codec: VideoCodec, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        advance(to: now)
        guard let media else { return drops.count(.notSending) }
        media.send(slice, codec: codec, captured: captured, on: id, now: now)
    }

    /// Sends a packet of audio; `timestamp` is in units of the codec's clock rate.
    ///
    /// - Parameter captured: when the audio was captured, on the clock of `now`; `nil` if unknown.
    package func send(
        audio payload: [UInt8], timestamp: UInt32, marker: Bool = false, captured: Instant? = nil,
        on id: Transceiver.ID, now: Instant
    ) {
        advance(to: now)
        guard let media else { return drops.count(.notSending) }
        media.send(audio: payload, timestamp: timestamp, marker: marker, captured: captured, on: id, now: now)
    }

    /// Requests a keyframe from the peer: the app's decoder can't go on without one.
    package func decoderFailed(on id: Transceiver.ID, now: Instant) {
        advance(to: now)
        media?.decoderFailed(on: id, now: now)
    }

    // MARK: Setup

    /// Applies the agreement to the media transport, and sets up SRTP once DTLS has given the keys.
    func agreeOnMedia() {
        guard let agreement = negotiation.agreement, media != nil || !agreement.media.isEmpty else { return }
        let media = self.media ?? newMedia()
        self.media = media
        var senders: [Transceiver.ID: SendingStream] = [:]
        for transceiver in negotiation.transceivers { senders[transceiver.id] = transceiver.sender }
        media.apply(agreement.media, senders: senders, now: now)
        if let roundTrip { media.measured(roundTrip: roundTrip, now: now) }
        guard let session = dtlsSession, protection == nil else { return }
        guard let keys = session.srtp else { return fail(.noCommonSRTPProfile) }
        guard let made = try? MediaProtection(keys, crypto: crypto) else { return fail(.noProtection) }
        protection = made
        media.open(now: now)
    }

    private func newMedia() -> MediaTransport {
        var terms = MediaTransportConfiguration(
            cname: negotiation.configuration.cname,
            feedbackSSRC: SSRC(UInt32.random(in: 1 ... .max, using: &random)), clockOffset: configuration.clockOffset)
        terms.isHostClock = configuration.isHostClock
        terms.largestPacket = configuration.largestDatagram - MediaProtection.mostOverhead
        terms.reserve = MediaProtection.mostOverhead
        terms.mostBitrate = configuration.mostBitrate
        terms.startBitrate = configuration.startBitrate
        return MediaTransport(terms, random: split(&random), now: now)
    }

    // MARK: Receiving

    /// - Returns: `true` if the packet is genuine.
    func receiveMedia(_ bytes: consuming [UInt8], isRTCP: Bool) -> Bool {
        guard let protection, let media else {
            drops.count(.beforeKeys)
            return false
        }
        var packet = bytes
        // The receiver itself counts packets that are not genuine.
        if isRTCP {
            guard (try? protection.receiver.open(rtcp: &packet)) != nil else { return false }
            media.handle(.rtcp(packet), now: now)
        } else {
            guard let opened = try? protection.receiver.open(rtp: &packet) else { return false }
            media.handle(.rtp(packet, opened), now: now)
        }
        return true
    }

    // MARK: Sending

    /// Takes one output of the media transport: a packet is encrypted and sent, or an event is reported. Returns
    /// `false` if there is none.
    func flowMedia() -> Bool {
        guard let output = media?.poll() else { return false }
        switch output {
        case .rtp(let packet, let headerLength, let sequence):
            if let bytes = protect(packet, headerLength, sequence) { send(bytes) }
        case .keptRTP(let packet, let headerLength, let sequence):
            let ssrc = RTPHeader.parse(packet.span.bytes)?.ssrc
            guard let bytes = protect(packet, headerLength, sequence) else { break }
            if let ssrc { protection?.keep(bytes, ssrc, sequence, now: now) }
            send(bytes)
        case .again(let ssrc, let sequence):
            if let bytes = protection?.kept(ssrc, sequence) { send(bytes) }
        case .rtcp(var packet):
            guard (try? protection?.sender.protect(rtcp: &packet)) != nil else {
                drops.count(.protectionFailed)
                break
            }
            send(packet)
        case .event(let event): emit(.media(event))
        }
        return true
    }

    private func protect(
        _ packet: consuming [UInt8], _ headerLength: Int, _ sequence: ExtendedSequence
    ) -> [UInt8]? {
        var packet = packet
        guard let protection,
            (try? protection.sender.protect(rtp: &packet, headerLength: headerLength, sequence: sequence)) != nil
        else {
            drops.count(.protectionFailed)
            return nil
        }
        return packet
    }
}
