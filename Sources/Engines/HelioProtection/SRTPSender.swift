package import HelioCore

/// The SRTP encryptor of one direction, which encrypts RTP and RTCP packets in place, with separate state for each
/// SSRC.
///
/// A sender can't be copied, as two senders with the same key and state would reuse nonces.
package struct SRTPSender: ~Copyable {
    private struct Stream {
        let ssrc: SSRC
        /// The used RTP indices, so that no nonce is reused even after a caller's mistake.
        var used = ReplayWindow()
        var nextRTCPIndex: UInt32 = 0
        var lastUse: UInt64 = 0
    }

    /// The state kept for an evicted SSRC, so that no nonce is reused if packets of this SSRC are sent again.
    private struct Retired {
        let highest: UInt64?
        let nextRTCPIndex: UInt32
    }

    /// The maximum number of SSRCs over the lifetime of a key.
    package static let mostSources = 1 << 16

    package let profile: SRTPProfile
    /// The maximum number of bytes by which encryption lengthens an RTP packet.
    package let rtpOverhead: Int
    private let streamLimit: Int
    private let rtp: SRTPSealer
    private let rtcp: SRTPSealer
    private var streams: [Stream]
    private var retired: [SSRC: Retired] = [:]
    private var uses: UInt64 = 0

    /// - Parameter streamLimit: the maximum number of SSRCs with full state. For a further SSRC, the least recently
    ///   used one is evicted.
    package init(
        key: SRTPMasterKey, crypto: some CryptoProvider, streamLimit: Int = 16
    ) throws(CryptoError) {
        let keys = try SRTPSessionKeys(master: key, crypto: crypto)
        try self.init(sessionKeys: keys, crypto: crypto, streamLimit: streamLimit)
    }

    package init(
        sessionKeys keys: SRTPSessionKeys, crypto: some CryptoProvider, streamLimit: Int = 16
    ) throws(CryptoError) {
        let rtp = try SRTPSealer(keys.rtp, keys.profile, crypto: crypto)
        let rtcp = try SRTPSealer(keys.rtcp, keys.profile, crypto: crypto)
        profile = keys.profile
        rtpOverhead = rtp.mostOverhead
        self.streamLimit = streamLimit
        self.rtp = rtp
        self.rtcp = rtcp
        streams = []
    }

    /// Encrypts `packet[headerLength...]` in place and appends at most `rtpOverhead` bytes.
    ///
    /// - Parameter sequence: the extended sequence number. A stream has to begin in 0 ..< 0x8000, so that the receiver
    ///   derives the same rollover counter. Numbers may be out of order, but must not repeat.
    package mutating func protect(
        rtp packet: inout [UInt8], headerLength: Int, sequence: ExtendedSequence
    ) throws(SRTPError) {
        guard headerLength >= 12, headerLength <= packet.count, packet[0] >> 6 == 2,
            let wire = packet.span.bytes.uint16(at: 2), let ssrc = packet.span.bytes.uint32(at: 8)
        else { throw .malformedPacket }
        guard wire == sequence.wire else { throw .sequenceMismatch }
        guard sequence.rawValue < SRTPIndex.limit else { throw .keyExhausted }

        let stream = try position(of: SSRC(ssrc))
        guard streams[stream].used.verdict(on: sequence.rawValue) == .fresh else { throw .sequenceReused }
        streams[stream].used.commit(sequence.rawValue)
        do {
            try rtp.seal(rtp: &packet, headerLength: headerLength, ssrc: SSRC(ssrc), index: sequence.rawValue)
        } catch {
            throw .crypto(error)
        }
    }

    /// Encrypts a compound RTCP packet in place after its first 8 bytes, and appends index and tag. The nonce uses the
    /// SSRC of the compound's first packet.
    package mutating func protect(rtcp packet: inout [UInt8]) throws(SRTPError) {
        guard let ssrc = packet.span.bytes.uint32(at: 4), packet[0] >> 6 == 2 else { throw .malformedPacket }
        let stream = try position(of: SSRC(ssrc))
        let index = streams[stream].nextRTCPIndex
        guard index < 0x8000_0000 else { throw .keyExhausted }
        streams[stream].nextRTCPIndex = index + 1
        do {
            try rtcp.seal(rtcp: &packet, ssrc: SSRC(ssrc), index: index)
        } catch {
            throw .crypto(error)
        }
    }

    /// Returns true if packets of this SSRC were sent with this key.
    package func knows(_ ssrc: SSRC) -> Bool { retired[ssrc] != nil || streams.contains { $0.ssrc == ssrc } }

    private mutating func position(of ssrc: SSRC) throws(SRTPError) -> Int {
        uses += 1
        for position in streams.indices where streams[position].ssrc == ssrc {
            streams[position].lastUse = uses
            return position
        }
        let former = retired.removeValue(forKey: ssrc)
        guard former != nil || streams.count + retired.count < Self.mostSources else { throw .tooManyStreams }
        if streams.count >= streamLimit,
            let stalest = streams.indices.min(by: { streams[$0].lastUse < streams[$1].lastUse })
        {
            let stream = streams.remove(at: stalest)
            retired[stream.ssrc] = Retired(highest: stream.used.highest, nextRTCPIndex: stream.nextRTCPIndex)
        }
        streams.append(
            Stream(
                ssrc: ssrc, used: ReplayWindow(after: former?.highest),
                nextRTCPIndex: former?.nextRTCPIndex ?? 0, lastUse: uses))
        return streams.count - 1
    }
}

// Sendable, as a sender has one owner at a time (it can't be copied), changes only in `mutating` methods, and is the
// only user of its contexts (CryptoProvider).
extension SRTPSender: @unchecked Sendable {}
