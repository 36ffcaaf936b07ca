package import HelioCore

/// Protects what one direction sends: RTP and RTCP, in place, each SSRC with its own state.
///
/// It can't be copied: two senders with one key and one state would use nonces twice.
package struct SRTPSender: ~Copyable {
    private struct Stream {
        let ssrc: SSRC
        /// RTP indices that have been used: no nonce is used twice, whatever the caller does.
        var used = ReplayWindow()
        var nextRTCPIndex: UInt32 = 0
    }

    package let profile: SRTPProfile
    /// By how many bytes protection makes an RTP packet longer, at most.
    package let rtpOverhead: Int
    private let streamLimit: Int
    private let rtp: SRTPSealer
    private let rtcp: SRTPSealer
    private var streams: [Stream]

    /// `streamLimit` is the most SSRCs that are sent with this key.
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
    /// `sequence` counts from a start in 0 ..< 0x8000 (rollover 0), so that the receiver, who only sees 16
    /// bits, comes to the same rollover counter. Sequences may come out of order, but each only once.
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

    /// Encrypts all behind the first 8 bytes of a compound packet in place and appends index and tag.
    /// The SSRC is that of its first packet.
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

    private mutating func position(of ssrc: SSRC) throws(SRTPError) -> Int {
        for position in streams.indices where streams[position].ssrc == ssrc { return position }
        guard streams.count < streamLimit else { throw .tooManyStreams }
        streams.append(Stream(ssrc: ssrc))
        return streams.count - 1
    }
}

// Sound because a sender has one owner at a time (it can't be copied), changes only through `mutating`
// methods, and owns its contexts alone (CryptoProvider).
extension SRTPSender: @unchecked Sendable {}
