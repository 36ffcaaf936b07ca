import HelioCore

/// The decryption contexts and salt for received RTP or RTCP.
enum SRTPOpener {
    case aead(any AEADOpener, salt: AEADNonce)
    case counterMode(any KeystreamContext, any MACContext, salt: CounterBlock, tagLength: Int)

    init(_ keys: SRTPSessionKeys.Half, _ profile: SRTPProfile, crypto: some CryptoProvider) throws(CryptoError) {
        guard keys.salt.count == profile.saltLength else { throw .badLength(keys.salt.count) }
        if profile.isAEAD {
            self = .aead(
                try crypto.opener(key: keys.encryption), salt: AEADNonce { keys.salt.bytes[$0] })
        } else {
            self = .counterMode(
                try crypto.keystream(key: keys.encryption), try crypto.mac(.sha1, key: keys.authentication),
                salt: CounterBlock { $0 < 14 ? keys.salt.bytes[$0] : 0 }, tagLength: profile.tagLength)
        }
    }

    /// The minimum number of bytes by which encryption lengthens an RTP packet.
    var leastOverhead: Int {
        switch self {
        case .aead(let aead, _): aead.leastOverhead
        case .counterMode(_, _, _, let tagLength): tagLength
        }
    }

    /// Verifies and removes the tag, and decrypts the payload in place. Returns false if the tag is wrong or the
    /// decryption fails. The caller ensures that the packet has space for header and tag.
    func open(rtp packet: inout [UInt8], headerLength: Int, ssrc: SSRC, index: UInt64) -> Bool {
        switch self {
        case .aead(let aead, let salt):
            return aead.open(
                &packet, from: headerLength, trailer: nil,
                nonce: SRTPIndex.nonce(salt: salt, ssrc: ssrc, index: index))
        case .counterMode(let keystream, let mac, let salt, let tagLength):
            let rollover = UInt32(truncatingIfNeeded: index >> 16)
            guard packet.removeTag(of: tagLength, made: mac, trailer: rollover) else { return false }
            return packet.decrypt(
                from: headerLength, keystream, SRTPIndex.counter(salt: salt, ssrc: ssrc, index: index))
        }
    }

    /// Reads the SRTCP word of E bit and index; `nil` if the packet has fewer bytes than the word and the tag after it.
    func word(of packet: [UInt8]) -> UInt32? {
        let behind =
            switch self {
            case .aead: 0
            case .counterMode(_, _, _, let tagLength): tagLength
            }
        return packet.span.bytes.uint32(at: packet.count - behind - 4)
    }

    /// Verifies and removes tag and word, and decrypts the bytes after the first 8 in place. Returns false if the tag
    /// is wrong or the decryption fails.
    func open(rtcp packet: inout [UInt8], ssrc: SSRC, word: UInt32) -> Bool {
        let index = UInt64(word & 0x7FFF_FFFF)
        switch self {
        case .aead(let aead, let salt):
            packet.removeLast(4)
            return aead.open(
                &packet, from: 8, trailer: word, nonce: SRTPIndex.nonce(salt: salt, ssrc: ssrc, index: index))
        case .counterMode(let keystream, let mac, let salt, let tagLength):
            guard packet.removeTag(of: tagLength, made: mac, trailer: nil) else { return false }
            packet.removeLast(4)
            return packet.decrypt(from: 8, keystream, SRTPIndex.counter(salt: salt, ssrc: ssrc, index: index))
        }
    }
}

extension [UInt8] {
    /// Verifies the tag and removes it. Returns false without a change if it is wrong.
    fileprivate mutating func removeTag(of length: Int, made mac: any MACContext, trailer: UInt32?) -> Bool {
        let code = mac.code(over: span.bytes.extracting(droppingLast: length), trailer: trailer)
        guard code.matches(span.bytes.extracting(last: length)) else { return false }
        removeLast(length)
        return true
    }

    fileprivate mutating func decrypt(
        from start: Int, _ keystream: any KeystreamContext, _ counter: CounterBlock
    ) -> Bool {
        do {
            try keystream.apply(to: &self, range: start..<count, counter: counter)
            return true
        } catch {
            return false
        }
    }
}
