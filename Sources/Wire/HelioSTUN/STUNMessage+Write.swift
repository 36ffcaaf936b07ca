import HelioCore

extension STUNMessage {
    /// Serialises the message without an integrity attribute.
    package func serialised(fingerprint: Bool = true) -> [UInt8] {
        finished(unsealed(), fingerprint: fingerprint)
    }

    /// Serialises the message with an integrity attribute.
    ///
    /// - Parameter code: computes the HMAC of the bytes that it is passed; returns `integrity.size` bytes.
    package func serialised(
        integrity: STUNIntegrity, fingerprint: Bool = true, code: (RawSpan) -> [UInt8]
    ) -> [UInt8] {
        var bytes = unsealed()
        bytes.setLength(adding: 4 + integrity.size)
        let value = code(bytes.span.bytes)
        precondition(value.count == integrity.size, "a whole code")
        bytes.append(bigEndian: integrity.type.rawValue)
        bytes.append(bigEndian: UInt16(value.count))
        bytes += value
        return finished(bytes, fingerprint: fingerprint)
    }

    private func unsealed() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        let method = method.rawValue & 0x000F | (method.rawValue & 0x0070) << 1 | (method.rawValue & 0x0F80) << 2
        bytes.append(bigEndian: method | (kind.rawValue & 1) << 4 | (kind.rawValue & 2) << 7)
        bytes.append(bigEndian: UInt16(0))
        bytes.append(bigEndian: Self.magicCookie)
        bytes.append(bigEndian: transaction.high)
        bytes.append(bigEndian: transaction.low)
        for attribute in attributes { attribute.append(to: &bytes, transaction: transaction) }
        return bytes
    }

    private func finished(_ message: consuming [UInt8], fingerprint: Bool) -> [UInt8] {
        var bytes = message
        guard fingerprint else {
            bytes.setLength(adding: 0)
            return bytes
        }
        bytes.setLength(adding: 8)
        let sum = STUNFingerprint.of(bytes.span.bytes)
        bytes.append(bigEndian: STUNAttributeType.fingerprint.rawValue)
        bytes.append(bigEndian: UInt16(4))
        bytes.append(bigEndian: sum)
        return bytes
    }
}

extension [UInt8] {
    /// Writes the header's length, including `extra` bytes that will be appended later.
    fileprivate mutating func setLength(adding extra: Int) {
        let length = count - STUNMessage.headerSize + extra
        precondition(length <= UInt16.max, "a message has at most 65535 bytes")
        set(bigEndian: UInt16(length), at: 2)
    }
}
