/// A frame of a device to the rendezvous server, one a binary WebSocket message (RFC 6455). The first byte is the type,
/// and numbers are big-endian.
///
/// ```
///   1 register   | key (32) | signature (64) |
///   2 permit     | count u8 | count times: tag (16), seconds u32 |
///   3 ring       | call u32 | device (16) | token (16) |
///   4 watch      | device (16) | token (16) |
///   5 message    | call u32 | the rest, at most 65535 bytes |
///   6 data       | call u32 | the rest, at most 2048 bytes |
///   7 hang up    | call u32 | reason u8 |
/// ```
package enum ClientFrame: Hashable, Sendable {
    /// The answer to a challenge: the signature over `RegistrationText` by the device's key.
    case register(publicKey: [UInt8], signature: [UInt8])
    /// The whole list of permits, which replaces the previous one.
    case permit([Permit])
    /// Calls a device. The ringer chooses a number that none of its calls has.
    case ring(CallNumber, RendezvousID, RingToken)
    /// Asks for the presence of a device, now and at each change.
    case watch(RendezvousID, RingToken)
    /// A message of a call: reliable and in order.
    case message(CallNumber, [UInt8])
    /// A datagram of a call, which the server may drop.
    case data(CallNumber, [UInt8])
    case hangUp(CallNumber, HangUpReason)

    /// The first byte of a frame with a datagram, which a driver may drop rather than queue.
    package static let dataType = Kind.data.rawValue

    enum Kind: UInt8 {
        case register = 1
        case permit, ring, watch, message, data, hangUp
    }
}
