import HelioCore

/// The header of a DTLS 1.2 record (RFC 6347 section 4.1), and the record's range in the datagram.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---------------+-------------------------------+---------------+
///     |     type      |            version            |     epoch
///     +---------------+-------------------------------+---------------+
///           epoch     |                sequence (48 bits)
///     +---------------+-----------------------------------------------+
///                      sequence               |     length            |
///     +---------------+-----------------------+-----------------------+
///           length    |  fragment of that length ...
///     +---------------+-----------------------------------------------+
package struct DTLSRecord: Sendable, Hashable {
    package enum ContentType: UInt8, Sendable {
        case changeCipherSpec = 20
        case alert = 21
        case handshake = 22
        case applicationData = 23
    }

    package static let headerLength = 13
    /// The maximum size of a record's plaintext, in bytes.
    package static let largestData = 1 << 14
    /// The maximum number of bytes by which a record is longer than its plaintext: header, explicit nonce of AES-GCM
    /// and tag.
    package static let mostOverhead = headerLength + gcmOverhead
    /// The number of bytes of the explicit nonce and the tag of AES-GCM, in every encrypted fragment.
    package static let gcmOverhead = 8 + aeadTagLength
    /// The maximum accepted size of a handshake message in bytes, which suffices for the certificates of WebRTC peers.
    package static let largestHandshakeMessage = 1 << 14

    package let type: ContentType
    package let version: UInt16
    package let epoch: UInt16
    package let sequence: UInt64
    /// The range of the record, with its header, in the datagram.
    package let range: Range<Int>

    /// The range of the fragment in the datagram.
    package var fragment: Range<Int> { range.lowerBound + Self.headerLength..<range.upperBound }

    /// Parses the record at `offset`. If it throws, the rest of the datagram can't be parsed either.
    package init(in datagram: RawSpan, at offset: Int) throws(DTLSDrop) {
        guard let first = datagram.uint8(at: offset) else { throw .truncated }
        guard (20...63).contains(first) else { throw offset == 0 ? .notDTLS : .malformed }
        guard let version = datagram.uint16(at: offset + 1), let epoch = datagram.uint16(at: offset + 3),
            let high = datagram.uint16(at: offset + 5), let low = datagram.uint32(at: offset + 7),
            let length = datagram.uint16(at: offset + 11)
        else { throw .truncated }
        guard let type = ContentType(rawValue: first), version >> 8 == 0xFE, length > 0,
            length <= Self.largestData + 2048
        else { throw .malformed }
        guard datagram.byteCount - offset - Self.headerLength >= Int(length) else { throw .truncated }
        self.type = type
        self.version = version
        self.epoch = epoch
        sequence = UInt64(high) << 32 | UInt64(low)
        range = offset..<offset + Self.headerLength + Int(length)
    }

    /// Returns the reason for dropping the record before it reaches the library; `nil` to pass it on.
    ///
    /// Libraries end the handshake or the association on some records that an attacker can forge. So records that no
    /// valid peer sends are dropped.
    ///
    /// - Parameter shortestProtected: the minimum size of an encrypted fragment, in bytes.
    package func refusal(in datagram: RawSpan, isConnected: Bool, shortestProtected: Int) -> DTLSDrop? {
        if epoch == 1 { return fragment.count < shortestProtected ? .malformed : nil }
        guard epoch == 0 else { return .wrongEpoch }
        if isConnected { return .oldEpoch }
        switch type {
        case .applicationData: return .clearData
        case .changeCipherSpec: return fragment.count == 1 ? nil : .malformed
        case .alert: return fragment.count == 2 ? nil : .malformed
        case .handshake: return Self.isHandshake(datagram.extracting(fragment)) ? nil : .badHandshake
        }
    }

    /// Returns true if the bytes are a sequence of valid handshake message fragments (RFC 6347 section 4.2.2). A
    /// fragment has the header: type (8 bits), length (24), message sequence (16), fragment offset (24), fragment
    /// length (24).
    private static func isHandshake(_ bytes: RawSpan) -> Bool {
        var offset = 0
        while offset < bytes.byteCount {
            guard let type = bytes.uint8(at: offset), let length = bytes.uint24(at: offset + 1),
                let start = bytes.uint24(at: offset + 6), let count = bytes.uint24(at: offset + 9)
            else { return false }
            let next = offset + 12 + Int(count)
            guard knownMessages.contains(type), length <= largestHandshakeMessage, start + count <= length,
                count > 0 || length == 0, next <= bytes.byteCount
            else { return false }
            offset = next
        }
        return true
    }

    /// The known handshake messages: hello request, client hello, server hello, hello verify request, session ticket,
    /// certificate, key exchange, certificate request, server hello done, certificate verify, client key exchange,
    /// finished, certificate status.
    private static let knownMessages: Set<UInt8> = [0, 1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 20, 22]
}
