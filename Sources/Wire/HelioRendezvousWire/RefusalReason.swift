/// The reason why the server closes a connection.
package enum RefusalReason: UInt8, Sendable, Hashable, CaseIterable {
    /// A frame can't be parsed, or is not allowed at this time.
    case protocolError = 1
    /// The signature does not fit the key, the server's name and the challenge.
    case wrongSignature = 2
    /// The server's operator has blocked the device or its address.
    case blocked = 3
    /// There are as many connections as the server, or this address, may have.
    case tooMany = 4
    /// Connections or frames came faster than the limits allow.
    case tooFast = 5
    /// The connection reads too slowly: too much waits for it.
    case tooSlow = 6
    /// The device has registered on another connection.
    case replaced = 7
    /// The connection did not register or ring in time.
    case idle = 8
}
