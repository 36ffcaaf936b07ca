/// The method of a message, 12 bits. STUN itself defines only `binding`; the others are TURN's (RFC 8656 section 17).
package struct STUNMethod: Hashable, Sendable {
    package var rawValue: UInt16
    package init(_ rawValue: UInt16) { self.rawValue = rawValue & 0x0FFF }

    package static let binding = STUNMethod(0x001)
    package static let allocate = STUNMethod(0x003)
    package static let refresh = STUNMethod(0x004)
    package static let send = STUNMethod(0x006)
    package static let data = STUNMethod(0x007)
    package static let createPermission = STUNMethod(0x008)
    package static let channelBind = STUNMethod(0x009)
}
