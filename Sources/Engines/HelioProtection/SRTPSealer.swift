import HelioCore

/// The encryption contexts and salt for outgoing RTP or RTCP.
enum SRTPSealer {
    case aead(any AEADSealer, salt: AEADNonce)
    case counterMode(any KeystreamContext, any MACContext, salt: CounterBlock, tagLength: Int)

    init(_ keys: SRTPSessionKeys.Half, _ profile: SRTPProfile, crypto: some CryptoProvider) throws(CryptoError) {
        guard keys.salt.count == profile.saltLength else { throw .badLength(keys.salt.count) }
        if profile.isAEAD {
            self = .aead(
                try crypto.sealer(key: keys.encryption), salt: AEADNonce { keys.salt.bytes[$0] })
        } else {
            self = .counterMode(
                try crypto.keystream(key: keys.encryption), try crypto.mac(.sha1, key: keys.authentication),
                salt: CounterBlock { $0 < 14 ? keys.salt.bytes[$0] : 0 }, tagLength: profile.tagLength)
        }
    }

    /// The maximum number of bytes by which sealing lengthens an RTP packet.
    var mostOverhead: Int {
        switch self {
        case .aead(let aead, _): aead.mostOverhead
        case .counterMode(_, _, _, let tagLength): tagLength
        }
    }

    /// Encrypts the payload in place and appends the tag.
    func seal(rtp packet: inout [UInt8], headerLength: Int, ssrc: SSRC, index: UInt64) throws(CryptoError) {
        switch self {
        case .aead(let aead, let salt):
            try aead.seal(
                &packet, from: headerLength, trailer: nil,
                nonce: SRTPIndex.nonce(salt: salt, ssrc: ssrc, index: index))
        case .counterMode(let keystream, let mac, let salt, let tagLength):
            try keystream.apply(
                to: &packet, range: headerLength..<packet.count,
                counter: SRTPIndex.counter(salt: salt, ssrc: ssrc, index: index))
            let code = mac.code(over: packet.span.bytes, trailer: UInt32(truncatingIfNeeded: index >> 16))
            packet.append(code, cutTo: tagLength)
        }
    }

    /// Encrypts the bytes after the first 8 in place, and appends the tag and the word of E bit and index. With AES-CM
    /// the word comes first (RFC 3711 section 3.4), with AES-GCM the tag (RFC 7714 section 9).
    func seal(rtcp packet: inout [UInt8], ssrc: SSRC, index: UInt32) throws(CryptoError) {
        let word = 0x8000_0000 | index
        switch self {
        case .aead(let aead, let salt):
            try aead.seal(
                &packet, from: 8, trailer: word,
                nonce: SRTPIndex.nonce(salt: salt, ssrc: ssrc, index: UInt64(index)))
            packet.append(bigEndian: word)
        case .counterMode(let keystream, let mac, let salt, let tagLength):
            try keystream.apply(
                to: &packet, range: 8..<packet.count,
                counter: SRTPIndex.counter(salt: salt, ssrc: ssrc, index: UInt64(index)))
            packet.append(bigEndian: word)
            packet.append(mac.code(over: packet.span.bytes, trailer: nil), cutTo: tagLength)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ code: MACCode, cutTo count: Int) {
        for offset in 0..<count { append(code.storage[offset]) }
    }
}
