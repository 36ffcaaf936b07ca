import HelioCore

/// A received message with the HMACs of its integrity attributes. The caller verifies them, as wire types have no keys.
/// Attributes after an integrity attribute are not protected, and are dropped (RFC 8489 section 14.5).
package struct STUNPacket: Hashable, Sendable {
    /// The HMAC of an integrity attribute, and the attribute's position.
    package struct Seal: Hashable, Sendable {
        package var code: [UInt8]
        /// The offset of the attribute's first byte in the datagram.
        fileprivate var offset: Int
    }

    package private(set) var message: STUNMessage
    package private(set) var seals: [STUNIntegrity: Seal] = [:]
    /// True if the message has a fingerprint; `init` throws if the fingerprint is wrong.
    package private(set) var hasFingerprint = false

    package init(parsing datagram: RawSpan) throws(STUNError) {
        guard let type = datagram.uint16(at: 0), type < 0x4000, let length = datagram.uint16(at: 2),
            datagram.uint32(at: 4) == STUNMessage.magicCookie, let high = datagram.uint32(at: 8),
            let low = datagram.uint64(at: 12), let kind = STUNClass(type)
        else { throw .notSTUN }
        let end = STUNMessage.headerSize + Int(length)
        guard end == datagram.byteCount, length % 4 == 0 else { throw .badLength }
        let transaction = STUNTransactionID(high: high, low: low)
        message = STUNMessage(kind, STUNMethod(type: type), transaction)
        var offset = STUNMessage.headerSize
        var seen = 0
        while offset < end {
            guard !hasFingerprint else { throw .badFingerprint }
            seen += 1
            guard seen <= STUNMessage.maximumAttributes else { throw .tooManyAttributes }
            guard let number = datagram.uint16(at: offset), let size = datagram.uint16(at: offset + 2),
                (Int(size) + 3) / 4 * 4 <= end - offset - 4
            else { throw .truncatedAttribute }
            let type = STUNAttributeType(number)
            let value = datagram.extracting(offset + 4..<offset + 4 + Int(size))
            switch type {
            case .messageIntegrity: try keep(.sha1, value, offset)
            case .messageIntegritySHA256: try keep(.sha256, value, offset)
            case .fingerprint:
                guard size == 4, value.uint32(at: 0) == STUNFingerprint.of(datagram.extracting(first: offset))
                else { throw .badFingerprint }
                hasFingerprint = true
            default:
                guard seals.isEmpty else { break }
                if let attribute = STUNAttribute(type, value, transaction) {
                    message.attributes.append(attribute)
                } else if type.isComprehensionRequired {
                    throw .malformedAttribute
                } else if let bytes = value.bytes(at: 0, count: Int(size)) {
                    message.attributes.append(.other(type, bytes))
                }
            }
            offset += 4 + (Int(size) + 3) / 4 * 4
        }
    }

    /// The bytes that an HMAC covers: everything before its attribute, with the length in the header set as if the
    /// message ended after the attribute.
    ///
    /// - Parameter datagram: the datagram that this packet was parsed from.
    package func covered(by seal: Seal, of datagram: RawSpan) -> [UInt8] {
        guard var bytes = datagram.bytes(at: 0, count: seal.offset), bytes.count >= STUNMessage.headerSize
        else { preconditionFailure("a seal of another datagram") }
        bytes.set(bigEndian: UInt16(seal.offset - STUNMessage.headerSize + 4 + seal.code.count), at: 2)
        return bytes
    }

    /// Stores a MESSAGE-INTEGRITY value. Only the first of each kind counts; a SHA-1 value after SHA-256 is ignored, as
    /// SHA-256 doesn't cover it.
    private mutating func keep(_ integrity: STUNIntegrity, _ value: RawSpan, _ offset: Int) throws(STUNError) {
        guard integrity.allows(size: value.byteCount), let code = value.bytes(at: 0, count: value.byteCount)
        else { throw .malformedAttribute }
        guard seals[integrity] == nil, seals[.sha256] == nil else { return }
        seals[integrity] = Seal(code: code, offset: offset)
    }
}

extension STUNClass {
    /// Reads the class from bits 4 and 8 of the type, which surround bits of the method.
    fileprivate init?(_ type: UInt16) {
        self.init(rawValue: type >> 4 & 1 | type >> 7 & 2)
    }
}

extension STUNMethod {
    fileprivate init(type: UInt16) {
        self.init(type & 0x000F | type >> 1 & 0x0070 | type >> 2 & 0x0F80)
    }
}
