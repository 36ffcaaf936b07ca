package import HelioCore

/// A STUN message (RFC 8489 section 5), which TURN and ICE also use.
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |0 0|   method and class        |  length, without this header  |
/// |                  magic cookie 0x2112A442                      |
/// |                  transaction, 96 bits                         |
/// |                                                               |
/// |                                                               |
/// |      type of an attribute     |     its length                |
/// |      value, padded to 4 bytes ...
/// ```
package struct STUNMessage: Hashable, Sendable {
    package static let headerSize = 20
    package static let magicCookie: UInt32 = 0x2112_A442
    /// The maximum number of attributes in a message; real messages have about ten.
    package static let maximumAttributes = 64

    package var kind: STUNClass
    package var method: STUNMethod
    package var transaction: STUNTransactionID
    /// The attributes, in wire order.
    package var attributes: [STUNAttribute]

    package init(
        _ kind: STUNClass, _ method: STUNMethod, _ transaction: STUNTransactionID, _ attributes: [STUNAttribute] = []
    ) {
        self.kind = kind
        self.method = method
        self.transaction = transaction
        self.attributes = attributes
    }

    /// The types of unknown comprehension-required attributes; a request with such an attribute is answered with error
    /// 420.
    package var unknownRequired: [STUNAttributeType] {
        attributes.compactMap {
            if case .other(let type, _) = $0, type.isComprehensionRequired { type } else { nil }
        }
    }
}

extension STUNMessage {
    // The first attribute of a type is used; further ones of the same type are ignored (RFC 8489 section 14).

    package var username: String? { first { if case .username(let text) = $0 { text } else { nil } } }
    package var realm: String? { first { if case .realm(let text) = $0 { text } else { nil } } }
    package var nonce: String? { first { if case .nonce(let text) = $0 { text } else { nil } } }
    package var errorCode: STUNErrorCode? { first { if case .errorCode(let error) = $0 { error } else { nil } } }
    package var priority: UInt32? { first { if case .priority(let value) = $0 { value } else { nil } } }
    package var lifetime: UInt32? { first { if case .lifetime(let value) = $0 { value } else { nil } } }
    package var controlling: UInt64? { first { if case .iceControlling(let value) = $0 { value } else { nil } } }
    package var controlled: UInt64? { first { if case .iceControlled(let value) = $0 { value } else { nil } } }
    package var usesCandidate: Bool { attributes.contains(.useCandidate) }
    package var data: [UInt8]? { first { if case .data(let bytes) = $0 { bytes } else { nil } } }
    package var channelNumber: UInt16? { first { if case .channelNumber(let value) = $0 { value } else { nil } } }
    package var peerAddress: TransportAddress? {
        first { if case .xorPeerAddress(let address) = $0 { address } else { nil } }
    }
    package var relayedAddress: TransportAddress? {
        first { if case .xorRelayedAddress(let address) = $0 { address } else { nil } }
    }
    /// The password algorithms that a server lists; `nil` from servers older than RFC 8489.
    package var passwordAlgorithms: [STUNPasswordAlgorithm]? {
        first { if case .passwordAlgorithms(let algorithms) = $0 { algorithms } else { nil } }
    }
    package var alternateServer: TransportAddress? {
        first { if case .alternateServer(let address) = $0 { address } else { nil } }
    }
    /// The request's source address as the server received it; from MAPPED-ADDRESS if the server is older than
    /// RFC 5389.
    package var mappedAddress: TransportAddress? {
        first { if case .xorMappedAddress(let address) = $0 { address } else { nil } }
            ?? first { if case .mappedAddress(let address) = $0 { address } else { nil } }
    }

    private func first<Value>(_ value: (STUNAttribute) -> Value?) -> Value? {
        for attribute in attributes {
            if let value = value(attribute) { return value }
        }
        return nil
    }
}
