internal import HelioCore
package import HelioProtection
package import HelioRendezvousWire

/// One end's sealing of the messages of one call, end to end: the rendezvous server, which passes them on, can't read
/// or change them, leave one out, repeat one, or play them to another device or in another call.
///
/// ```
///   an end's first envelope   | its nonce (16) | counter u64 | encrypted message | tag (16) |
///   its others                                 | counter u64 | encrypted message | tag (16) |
/// ```
/// Counters begin with 0 for each end and grow by one; they are big-endian. The tag authenticates also what is before
/// the encrypted message. A direction has a key of its own (`CallKeys`, `CallKey`):
/// - the ringer's envelopes are under `ringer first`, of its own nonce alone, until it has opened the host's first one,
///   then under `ringer`, of both nonces,
/// - the host's envelopes are under `host`, of both nonces. The ringer reads the host's in the first envelope.
///
/// Each key depends on a fresh nonce of the end that seals with it. A replayed call therefore never makes an end seal
/// twice under one key and counter. The host tries both of the ringer's keys until an envelope has been under the
/// second. The keys of both nonces prove that the other end is present, as they depend on this end's fresh nonce.
package struct CallSealer: ~Copyable {
    package static let nonceLength = 16
    private static let counterLength = 8
    /// The longest message, in bytes: it fits a frame as an end's first.
    package static let longestMessage = RendezvousLimits.message - nonceLength - counterLength - aeadTagLength

    private enum Role {
        case ringer
        case host
    }

    private let role: Role
    private let device: RendezvousID
    private let keys: CallKeys
    private let crypto: any CryptoProvider
    /// This end's nonce.
    private let nonce: [UInt8]
    /// The other end's nonce, from its first envelope.
    private var othersNonce: [UInt8]?
    private var sendCounter: UInt64 = 0
    private var receiveCounter: UInt64 = 0
    /// The ringer's `ringer first`, with which it seals, or the host's, with which it opens.
    private var first: CallKey?
    private var sending: CallKey?
    private var receiving: CallKey?
    private var link: SecretBytes?
    private var hasEnded = false

    private init(
        _ role: Role, _ device: RendezvousID, _ keys: CallKeys, nonce: [UInt8], crypto: any CryptoProvider
    ) {
        self.role = role
        self.device = device
        self.keys = keys
        self.crypto = crypto
        self.nonce = nonce
    }

    /// Makes the ringer's end. The generator has to be secure, except in tests.
    package init(
        ringing secret: SecretBytes, device: RendezvousID, crypto: any CryptoProvider,
        random: inout some RandomNumberGenerator
    ) throws(CryptoError) {
        let keys = try CallKeys(secret, crypto: crypto)
        let nonce = SecretBytes(count: Self.nonceLength, using: &random).bytes
        let first = try CallKey(.ringerFirst, keys, context: device.bytes + nonce, crypto: crypto)
        self.init(.ringer, device, keys, nonce: nonce, crypto: crypto)
        self.first = first
    }

    /// Makes the host's end. The generator has to be secure, except in tests.
    package init(
        answering secret: SecretBytes, device: RendezvousID, crypto: any CryptoProvider,
        random: inout some RandomNumberGenerator
    ) throws(CryptoError) {
        let keys = try CallKeys(secret, crypto: crypto)
        let nonce = SecretBytes(count: Self.nonceLength, using: &random).bytes
        self.init(.host, device, keys, nonce: nonce, crypto: crypto)
    }

    /// The ringer's nonce, for the host's `ReplayGuard`; `nil` at a host until the first envelope has been opened.
    package var ringerNonce: [UInt8]? { role == .ringer ? nonce : othersNonce }

    /// Seals a message. A host can't before it has opened an envelope.
    package mutating func seal(_ message: [UInt8]) throws(EnvelopeError) -> [UInt8] {
        guard !hasEnded else { throw .ended }
        guard message.count <= Self.longestMessage else { throw .tooLong }
        let isFirst = sendCounter == 0
        guard let key = sending ?? (role == .ringer ? first : nil) else { throw .tooEarly }
        var envelope: [UInt8] = []
        envelope.reserveCapacity(Self.nonceLength + Self.counterLength + message.count + aeadTagLength)
        if isFirst { envelope += nonce }
        envelope.append(bigEndian: sendCounter)
        let start = envelope.count
        envelope += message
        do {
            try key.seal(&envelope, from: start, counter: sendCounter)
        } catch {
            hasEnded = true
            throw .crypto(error)
        }
        sendCounter += 1
        return envelope
    }

    /// Opens the other end's next envelope. After an error no further one is opened or sealed.
    package mutating func open(_ envelope: [UInt8]) throws(EnvelopeError) -> [UInt8] {
        guard !hasEnded else { throw .ended }
        do {
            let message = try receiveCounter == 0 ? openFirst(envelope) : openNext(envelope)
            receiveCounter += 1
            return message
        } catch {
            hasEnded = true
            throw error
        }
    }

    /// The secret of the session's links, 32 bytes, the same at both ends; `nil` until this end knows both nonces.
    package func linkSecret() -> SecretBytes? { link }

    private mutating func openFirst(_ envelope: [UInt8]) throws(EnvelopeError) -> [UInt8] {
        let start = Self.nonceLength + Self.counterLength
        guard envelope.count >= start + aeadTagLength else { throw .truncated }
        let others = Array(envelope[..<Self.nonceLength])
        guard envelope.span.bytes.uint64(at: Self.nonceLength) == 0 else { throw .outOfOrder }
        do throws(CryptoError) {
            try derive(others: others)
        } catch {
            throw .crypto(error)
        }
        let key = role == .host ? first : receiving
        guard let message = key?.open(envelope, from: start, counter: 0) else {
            // The nonce is nobody's, and so are the keys that were derived from it.
            (othersNonce, sending, receiving, link) = (nil, nil, nil, nil)
            throw .notAuthentic
        }
        if role == .ringer { first = nil }
        return message
    }

    /// Derives the keys of both nonces, and the ringer's first one at a host.
    private mutating func derive(others: [UInt8]) throws(CryptoError) {
        othersNonce = others
        let ringers = device.bytes + (role == .ringer ? nonce : others)
        let both = ringers + (role == .ringer ? others : nonce)
        if role == .host { first = try CallKey(.ringerFirst, keys, context: ringers, crypto: crypto) }
        let ringer = try CallKey(.ringer, keys, context: both, crypto: crypto)
        let host = try CallKey(.host, keys, context: both, crypto: crypto)
        (sending, receiving) = role == .ringer ? (ringer, host) : (host, ringer)
        link = try keys.value(.link, context: both, count: 32)
    }

    private mutating func openNext(_ envelope: [UInt8]) throws(EnvelopeError) -> [UInt8] {
        let start = Self.counterLength
        guard envelope.count >= start + aeadTagLength else { throw .truncated }
        guard envelope.span.bytes.uint64(at: 0) == receiveCounter else { throw .outOfOrder }
        if let message = receiving?.open(envelope, from: start, counter: receiveCounter) {
            first = nil
            return message
        }
        guard let message = first?.open(envelope, from: start, counter: receiveCounter) else {
            throw .notAuthentic
        }
        return message
    }
}

// Sendable, as a sealer has one owner at a time (it can't be copied), changes only in `mutating` methods, and is the
// only user of its contexts (CryptoProvider).
extension CallSealer: @unchecked Sendable {}
