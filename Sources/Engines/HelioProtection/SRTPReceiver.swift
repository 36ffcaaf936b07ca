package import HelioCore

/// The SRTP decryptor of one direction, which decrypts RTP and RTCP packets in place, with separate state for each
/// SSRC.
///
/// A packet is checked against the replay window, then authenticated and decrypted, and only then recorded in the
/// window. Only authentic packets create state for an SSRC, so that forged packets use no memory.
package struct SRTPReceiver: ~Copyable {
    /// The result of decrypting an authentic RTP packet.
    package struct OpenedRTP: Hashable, Sendable {
        package let ssrc: SSRC
        /// The extended sequence number, with the rollover counter as its high bits.
        package let sequence: ExtendedSequence
        /// The number of bytes before the payload.
        package let headerLength: Int

        package init(ssrc: SSRC, sequence: ExtendedSequence, headerLength: Int) {
            self.ssrc = ssrc
            self.sequence = sequence
            self.headerLength = headerLength
        }
    }

    /// The result of decrypting an authentic RTCP packet.
    package struct OpenedRTCP: Hashable, Sendable {
        /// The SSRC of the first packet in the compound.
        package let ssrc: SSRC
        /// The 31-bit SRTCP index.
        package let index: UInt32
    }

    private struct Stream {
        let ssrc: SSRC
        var rtp = ReplayWindow()
        var rtcp = ReplayWindow()
        var lastUse: UInt64 = 0
    }

    /// The state kept for an evicted SSRC, which is enough to accept no packet twice.
    private struct Retired {
        let rtp: UInt64?
        let rtcp: UInt64?
    }

    /// The maximum number of SSRCs over the lifetime of a key. Only a sender with the key can use them up.
    package static let mostSources = 1 << 14

    package let profile: SRTPProfile
    /// The number of dropped packets by reason.
    package private(set) var drops: DropCounter<SRTPDrop>
    private let streamLimit: Int
    /// The minimum number of bytes after an RTP packet's header, and after the first 8 bytes of an RTCP packet.
    private let leastBytes: (rtp: Int, rtcp: Int)
    private let rtp: SRTPOpener
    private let rtcp: SRTPOpener
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
        let rtp = try SRTPOpener(keys.rtp, keys.profile, crypto: crypto)
        let rtcp = try SRTPOpener(keys.rtcp, keys.profile, crypto: crypto)
        profile = keys.profile
        leastBytes = (rtp.leastOverhead, rtcp.leastOverhead + 4)
        self.streamLimit = streamLimit
        self.rtp = rtp
        self.rtcp = rtcp
        streams = []
        drops = DropCounter()
    }

    /// Decrypts an RTP packet in place. If it is dropped, counts and throws the reason; the content of `packet` is then
    /// undefined.
    package mutating func open(rtp packet: inout [UInt8]) throws(SRTPDrop) -> OpenedRTP {
        do {
            return try authenticate(rtp: &packet)
        } catch {
            drops.count(error)
            throw error
        }
    }

    /// Decrypts an RTCP packet in place. If it is dropped, counts and throws the reason; the content of `packet` is
    /// then undefined.
    package mutating func open(rtcp packet: inout [UInt8]) throws(SRTPDrop) -> OpenedRTCP {
        do {
            return try authenticate(rtcp: &packet)
        } catch {
            drops.count(error)
            throw error
        }
    }

    private mutating func authenticate(rtp packet: inout [UInt8]) throws(SRTPDrop) -> OpenedRTP {
        let header = try SRTPHeader(packet)
        guard header.length + leastBytes.rtp <= packet.count else { throw .truncated }
        let known = try position(of: header.ssrc)
        let former = known == nil ? retired[header.ssrc] : nil
        let highest = known.map { streams[$0].rtp.highest } ?? former?.rtp
        guard let index = SRTPIndex.estimate(wire: header.sequence, highest: highest) else { throw .keyExhausted }
        if let known { try Self.check(streams[known].rtp.verdict(on: index)) }
        if let highest = former?.rtp, index <= highest { throw .tooOld }

        let isGenuine = rtp.open(rtp: &packet, headerLength: header.length, ssrc: header.ssrc, index: index)
        guard isGenuine else { throw .authenticationFailed }
        let stream = known ?? add(header.ssrc)
        streams[stream].rtp.commit(index)
        use(stream)
        return OpenedRTP(ssrc: header.ssrc, sequence: ExtendedSequence(index), headerLength: header.length)
    }

    private mutating func authenticate(rtcp packet: inout [UInt8]) throws(SRTPDrop) -> OpenedRTCP {
        guard packet.count >= 8 + leastBytes.rtcp, let word = rtcp.word(of: packet),
            let source = packet.span.bytes.uint32(at: 4)
        else { throw .truncated }
        guard packet[0] >> 6 == 2 else { throw .badVersion }
        guard word & 0x8000_0000 != 0 else { throw .notEncrypted }
        let ssrc = SSRC(source)
        let index = word & 0x7FFF_FFFF
        let known = try position(of: ssrc)
        if let known { try Self.check(streams[known].rtcp.verdict(on: UInt64(index))) }
        if known == nil, let highest = retired[ssrc]?.rtcp, index <= highest { throw .tooOld }

        guard rtcp.open(rtcp: &packet, ssrc: ssrc, word: word) else { throw .authenticationFailed }
        let stream = known ?? add(ssrc)
        streams[stream].rtcp.commit(UInt64(index))
        use(stream)
        return OpenedRTCP(ssrc: ssrc, index: index)
    }

    /// Returns the index of an SSRC's state; `nil` if the SSRC is new or was evicted. Throws `tooManyStreams` if the
    /// SSRC is new and beyond `mostSources`.
    private func position(of ssrc: SSRC) throws(SRTPDrop) -> Int? {
        for position in streams.indices where streams[position].ssrc == ssrc { return position }
        guard streams.count + retired.count < Self.mostSources || retired[ssrc] != nil else { throw .tooManyStreams }
        return nil
    }

    private mutating func add(_ ssrc: SSRC) -> Int {
        let former = retired.removeValue(forKey: ssrc)
        if streams.count >= streamLimit,
            let stalest = streams.indices.min(by: { streams[$0].lastUse < streams[$1].lastUse })
        {
            let stream = streams.remove(at: stalest)
            retired[stream.ssrc] = Retired(rtp: stream.rtp.highest, rtcp: stream.rtcp.highest)
        }
        streams.append(
            Stream(ssrc: ssrc, rtp: ReplayWindow(after: former?.rtp), rtcp: ReplayWindow(after: former?.rtcp)))
        return streams.count - 1
    }

    private mutating func use(_ stream: Int) {
        uses += 1
        streams[stream].lastUse = uses
    }

    private static func check(_ verdict: ReplayWindow.Verdict) throws(SRTPDrop) {
        switch verdict {
        case .fresh: return
        case .repeated: throw .replayed
        case .tooOld: throw .tooOld
        }
    }
}

// Sendable, as a receiver has one owner at a time (it can't be copied), changes only in `mutating` methods, and is the
// only user of its contexts (CryptoProvider).
extension SRTPReceiver: @unchecked Sendable {}
