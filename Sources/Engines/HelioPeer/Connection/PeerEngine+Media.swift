package import HelioCore
import HelioMedia
import HelioProtection
package import HelioRTP

// Media: SRTP with keys from the DTLS handshake (RFC 5764).

extension PeerEngine {
    // MARK: App's interface

    /// Sends a slice in the transceiver's stream. The slice was packetized once for all peers. Pass frames in order,
    /// and the slices of a frame in order.
    ///
    /// - Parameter captured: the capture time of the picture on the clock of `now`, which is needed for sender reports
    ///   if the slice's timestamps use an app's clock; `nil` if unknown.
    package func send(
        _ slice: borrowing PacketizedSlice, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        advance(to: now)
        guard let media else { return drops.count(.notSending) }
        media.send(slice, captured: captured, on: id, now: now)
    }

    /// Packetizes a slice for this peer only, and sends it.
    package func send(
        _ slice: EncodedSlice, codec: VideoCodec, captured: Instant? = nil, on id: Transceiver.ID, now: Instant
    ) {
        advance(to: now)
        guard let media else { return drops.count(.notSending) }
        media.send(slice, codec: codec, captured: captured, on: id, now: now)
    }

    /// Sends a packet of audio; `timestamp` is in units of the codec's RTP clock.
    ///
    /// - Parameter captured: the capture time of the audio, on the clock of `now`; `nil` if unknown.
    package func send(
        audio payload: [UInt8], timestamp: UInt32, marker: Bool = false, captured: Instant? = nil,
        on id: Transceiver.ID, now: Instant
    ) {
        advance(to: now)
        guard let media else { return drops.count(.notSending) }
        media.send(audio: payload, timestamp: timestamp, marker: marker, captured: captured, on: id, now: now)
    }

    /// Counts a frame or packet that the app has sent on a track that was stopped.
    package func dropUnsent() { drops.count(.notSending) }

    /// Requests a keyframe from the peer after an error of the app's decoder.
    package func decoderFailed(on id: Transceiver.ID, now: Instant) {
        advance(to: now)
        media?.decoderFailed(on: id, now: now)
    }

    /// Sets whether the peer's app supports repair pictures, see ``MediaTransport/setTakesRepairs(_:on:now:)``.
    package func setTakesRepairs(_ takes: Bool, on id: Transceiver.ID, now: Instant) {
        advance(to: now)
        media?.setTakesRepairs(takes, on: id, now: now)
    }

    /// Handles a loss reported by the peer's app, see ``MediaTransport/pictureLost(after:on:now:)``.
    package func pictureLost(after whole: UInt32?, on id: Transceiver.ID, now: Instant) {
        advance(to: now)
        media?.pictureLost(after: whole, on: id, now: now)
    }

    // MARK: Setup

    /// Applies the agreement to the media transport. Sets up SRTP once the DTLS handshake has produced its keys.
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

    /// Decrypts an SRTP or SRTCP packet, and passes it to the media transport.
    ///
    /// - Returns: true if the packet is authentic and no replay.
    func receiveMedia(_ bytes: consuming [UInt8], isRTCP: Bool) -> Bool {
        guard let protection, let media else {
            drops.count(.beforeKeys)
            return false
        }
        var packet = bytes
        // `SRTPReceiver` counts the packets that fail.
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

    /// Processes one output of the media transport: encrypts and sends a packet, or reports an event. Returns false if
    /// there is no output.
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
