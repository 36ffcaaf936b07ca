import HelioCore

extension STUNAttribute {
    /// The longest user name, in bytes (RFC 8489 section 14.3).
    static let maximumUsername = 513
    /// The longest realm, nonce and software, in bytes: 127 characters at their longest encoding.
    static let maximumText = 763

    /// Reads a value without its padding; `nil` if it is malformed for its type. An unknown type becomes `.other`.
    init?(_ type: STUNAttributeType, _ value: RawSpan, _ transaction: STUNTransactionID) {
        switch type {
        case .mappedAddress: self.init(value.address(transaction: nil), Self.mappedAddress)
        case .alternateServer: self.init(value.address(transaction: nil), Self.alternateServer)
        case .xorMappedAddress: self.init(value.address(transaction: transaction), Self.xorMappedAddress)
        case .xorPeerAddress: self.init(value.address(transaction: transaction), Self.xorPeerAddress)
        case .xorRelayedAddress: self.init(value.address(transaction: transaction), Self.xorRelayedAddress)
        case .username: self.init(value.text(atMost: Self.maximumUsername), Self.username)
        case .realm: self.init(value.text(atMost: Self.maximumText), Self.realm)
        case .nonce: self.init(value.text(atMost: Self.maximumText), Self.nonce)
        case .software: self.init(value.text(atMost: Self.maximumText), Self.software)
        case .userhash: self.init(value.byteCount == 32 ? value.bytes(at: 0, count: 32) : nil, Self.userhash)
        case .errorCode: self.init(STUNErrorCode(value), Self.errorCode)
        case .unknownAttributes: self.init(value.types, Self.unknownAttributes)
        case .passwordAlgorithm:
            var offset = 0
            let algorithm = STUNPasswordAlgorithm(value, &offset)
            self.init(offset == value.byteCount ? algorithm : nil, Self.passwordAlgorithm)
        case .passwordAlgorithms: self.init(value.algorithms, Self.passwordAlgorithms)
        case .priority: self.init(value.byteCount == 4 ? value.uint32(at: 0) : nil, Self.priority)
        case .lifetime: self.init(value.byteCount == 4 ? value.uint32(at: 0) : nil, Self.lifetime)
        case .useCandidate: self.init(value.byteCount == 0 ? STUNAttribute.useCandidate : nil) { $0 }
        case .dontFragment: self.init(value.byteCount == 0 ? STUNAttribute.dontFragment : nil) { $0 }
        case .iceControlled: self.init(value.byteCount == 8 ? value.uint64(at: 0) : nil, Self.iceControlled)
        case .iceControlling: self.init(value.byteCount == 8 ? value.uint64(at: 0) : nil, Self.iceControlling)
        case .reservationToken: self.init(value.byteCount == 8 ? value.uint64(at: 0) : nil, Self.reservationToken)
        case .channelNumber: self.init(value.byteCount == 4 ? value.uint16(at: 0) : nil, Self.channelNumber)
        case .requestedTransport: self.init(value.byteCount == 4 ? value.uint8(at: 0) : nil, Self.requestedTransport)
        case .requestedAddressFamily: self.init(value.family, Self.requestedAddressFamily)
        case .additionalAddressFamily: self.init(value.family, Self.additionalAddressFamily)
        case .evenPort:
            self.init(value.byteCount == 1 ? value.uint8(at: 0) : nil) { .evenPort(reservesNext: $0 & 0x80 != 0) }
        case .data: self.init(value.bytes(at: 0, count: value.byteCount), Self.data)
        default: self.init(value.bytes(at: 0, count: value.byteCount)) { .other(type, $0) }
        }
    }

    private init?<Value>(_ value: Value?, _ make: (Value) -> STUNAttribute) {
        guard let value else { return nil }
        self = make(value)
    }
}

extension RawSpan {
    /// Reads an address attribute (RFC 8489 section 14.1 and 14.2), XORed if a transaction is given.
    ///
    /// ```
    ///  0                   1                   2                   3
    ///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
    /// |0 0 0 0 0 0 0 0|  1: v4, 2: v6 |             port              |
    /// |      address, 32 or 128 bits ...
    /// ```
    fileprivate func address(transaction: STUNTransactionID?) -> TransportAddress? {
        guard let kind = uint8(at: 1), let port = uint16(at: 2) else { return nil }
        let mask = STUNAddressMask(transaction)
        switch (kind, byteCount) {
        case (1, 8):
            guard let bits = uint32(at: 4) else { return nil }
            return TransportAddress(.v4(bits ^ mask.v4), port: port ^ mask.port)
        case (2, 20):
            guard let high = uint64(at: 4), let low = uint64(at: 12) else { return nil }
            return TransportAddress(.v6(high: high ^ mask.high, low: low ^ mask.low), port: port ^ mask.port)
        default: return nil
        }
    }

    fileprivate func text(atMost maximum: Int) -> String? {
        guard byteCount <= maximum, let characters = bytes(at: 0, count: byteCount) else { return nil }
        return String(validating: characters, as: UTF8.self)
    }

    fileprivate var types: [STUNAttributeType]? {
        guard byteCount % 2 == 0 else { return nil }
        return stride(from: 0, to: byteCount, by: 2).compactMap { uint16(at: $0).map { STUNAttributeType($0) } }
    }

    fileprivate var algorithms: [STUNPasswordAlgorithm]? {
        var algorithms: [STUNPasswordAlgorithm] = []
        var offset = 0
        while offset < byteCount {
            guard let algorithm = STUNPasswordAlgorithm(self, &offset) else { return nil }
            algorithms.append(algorithm)
        }
        return algorithms
    }

    fileprivate var family: AddressFamily? {
        guard byteCount == 4 else { return nil }
        return switch uint8(at: 0) {
        case 1: .ipv4
        case 2: .ipv6
        default: nil
        }
    }
}
