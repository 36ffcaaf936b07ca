/// The number of an attribute (RFC 8489 section 18.3, RFC 8656 section 18, RFC 8445 section 16.1).
package struct STUNAttributeType: Hashable, Sendable {
    package var rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// True if a receiver that does not know the attribute must reject the message.
    package var isComprehensionRequired: Bool { rawValue < 0x8000 }

    package static let mappedAddress = Self(0x0001)
    package static let username = Self(0x0006)
    package static let messageIntegrity = Self(0x0008)
    package static let errorCode = Self(0x0009)
    package static let unknownAttributes = Self(0x000A)
    package static let channelNumber = Self(0x000C)
    package static let lifetime = Self(0x000D)
    package static let xorPeerAddress = Self(0x0012)
    package static let data = Self(0x0013)
    package static let realm = Self(0x0014)
    package static let nonce = Self(0x0015)
    package static let xorRelayedAddress = Self(0x0016)
    package static let requestedAddressFamily = Self(0x0017)
    package static let evenPort = Self(0x0018)
    package static let requestedTransport = Self(0x0019)
    package static let dontFragment = Self(0x001A)
    package static let messageIntegritySHA256 = Self(0x001C)
    package static let passwordAlgorithm = Self(0x001D)
    package static let userhash = Self(0x001E)
    package static let xorMappedAddress = Self(0x0020)
    package static let reservationToken = Self(0x0022)
    package static let priority = Self(0x0024)
    package static let useCandidate = Self(0x0025)
    package static let additionalAddressFamily = Self(0x8000)
    package static let passwordAlgorithms = Self(0x8002)
    package static let software = Self(0x8022)
    package static let alternateServer = Self(0x8023)
    package static let fingerprint = Self(0x8028)
    package static let iceControlled = Self(0x8029)
    package static let iceControlling = Self(0x802A)
}
