import HelioCore

extension STUNAttribute {
    /// Appends type, length, value and padding.
    func append(to bytes: inout [UInt8], transaction: STUNTransactionID) {
        bytes.append(bigEndian: type.rawValue)
        let lengthOffset = bytes.count
        bytes.append(bigEndian: UInt16(0))
        appendValue(to: &bytes, transaction)
        let length = bytes.count - lengthOffset - 2
        precondition(length <= UInt16.max, "an attribute has at most 65535 bytes")
        bytes.set(bigEndian: UInt16(length), at: lengthOffset)
        bytes += repeatElement(0, count: (4 - length % 4) % 4)
    }

    private func appendValue(to bytes: inout [UInt8], _ transaction: STUNTransactionID) {
        switch self {
        case .mappedAddress(let address), .alternateServer(let address): bytes.append(address, STUNAddressMask(nil))
        case .xorMappedAddress(let address), .xorPeerAddress(let address), .xorRelayedAddress(let address):
            bytes.append(address, STUNAddressMask(transaction))
        case .username(let text), .realm(let text), .nonce(let text), .software(let text): bytes += text.utf8
        case .userhash(let value), .data(let value), .other(_, let value): bytes += value
        case .errorCode(let error): error.append(to: &bytes)
        case .unknownAttributes(let types): for type in types { bytes.append(bigEndian: type.rawValue) }
        case .passwordAlgorithm(let algorithm): algorithm.append(to: &bytes)
        case .passwordAlgorithms(let algorithms): for algorithm in algorithms { algorithm.append(to: &bytes) }
        case .priority(let value), .lifetime(let value): bytes.append(bigEndian: value)
        case .iceControlled(let value), .iceControlling(let value), .reservationToken(let value):
            bytes.append(bigEndian: value)
        case .channelNumber(let number): bytes.append(bigEndian: UInt32(number) << 16)
        case .requestedTransport(let number): bytes.append(bigEndian: UInt32(number) << 24)
        case .requestedAddressFamily(let family), .additionalAddressFamily(let family):
            bytes.append(bigEndian: family.stunCode << 24)
        case .evenPort(let reservesNext): bytes.append(reservesNext ? 0x80 : 0)
        case .useCandidate, .dontFragment: break
        }
    }
}

extension AddressFamily {
    fileprivate var stunCode: UInt32 {
        switch self {
        case .ipv4: 1
        case .ipv6: 2
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ address: TransportAddress, _ mask: STUNAddressMask) {
        append(bigEndian: UInt16(address.family.stunCode))
        append(bigEndian: address.port ^ mask.port)
        switch address.ip {
        case .v4(let bits): append(bigEndian: bits ^ mask.v4)
        case .v6(let high, let low):
            append(bigEndian: high ^ mask.high)
            append(bigEndian: low ^ mask.low)
        }
    }
}
