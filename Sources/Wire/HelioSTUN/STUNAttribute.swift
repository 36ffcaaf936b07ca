package import HelioCore

/// One attribute's value. The attributes that protect the whole message (MESSAGE-INTEGRITY, FINGERPRINT) are separate:
/// see ``STUNPacket`` and ``STUNMessage/serialised(integrity:fingerprint:code:)``.
package enum STUNAttribute: Hashable, Sendable {
    // RFC 8489
    case mappedAddress(TransportAddress)
    case xorMappedAddress(TransportAddress)
    case username(String)
    /// The hash of user name and realm, 32 bytes.
    case userhash([UInt8])
    case realm(String)
    case nonce(String)
    case errorCode(STUNErrorCode)
    case unknownAttributes([STUNAttributeType])
    case passwordAlgorithm(STUNPasswordAlgorithm)
    case passwordAlgorithms([STUNPasswordAlgorithm])
    case software(String)
    case alternateServer(TransportAddress)
    // RFC 8445
    case priority(UInt32)
    case useCandidate
    /// The tie-breaker of an agent in the controlled role, which resolves role conflicts.
    case iceControlled(UInt64)
    /// The tie-breaker of an agent in the controlling role, which resolves role conflicts.
    case iceControlling(UInt64)
    // RFC 8656
    case channelNumber(UInt16)
    /// The lifetime in seconds.
    case lifetime(UInt32)
    case xorPeerAddress(TransportAddress)
    case xorRelayedAddress(TransportAddress)
    case data([UInt8])
    case requestedAddressFamily(AddressFamily)
    case additionalAddressFamily(AddressFamily)
    case evenPort(reservesNext: Bool)
    /// The IP protocol number; 17 is UDP.
    case requestedTransport(UInt8)
    case dontFragment
    case reservationToken(UInt64)
    /// An unknown attribute, or a malformed one that may be ignored.
    case other(STUNAttributeType, [UInt8])

    package var type: STUNAttributeType {
        switch self {
        case .mappedAddress: .mappedAddress
        case .xorMappedAddress: .xorMappedAddress
        case .username: .username
        case .userhash: .userhash
        case .realm: .realm
        case .nonce: .nonce
        case .errorCode: .errorCode
        case .unknownAttributes: .unknownAttributes
        case .passwordAlgorithm: .passwordAlgorithm
        case .passwordAlgorithms: .passwordAlgorithms
        case .software: .software
        case .alternateServer: .alternateServer
        case .priority: .priority
        case .useCandidate: .useCandidate
        case .iceControlled: .iceControlled
        case .iceControlling: .iceControlling
        case .channelNumber: .channelNumber
        case .lifetime: .lifetime
        case .xorPeerAddress: .xorPeerAddress
        case .xorRelayedAddress: .xorRelayedAddress
        case .data: .data
        case .requestedAddressFamily: .requestedAddressFamily
        case .additionalAddressFamily: .additionalAddressFamily
        case .evenPort: .evenPort
        case .requestedTransport: .requestedTransport
        case .dontFragment: .dontFragment
        case .reservationToken: .reservationToken
        case .other(let type, _): type
        }
    }
}
