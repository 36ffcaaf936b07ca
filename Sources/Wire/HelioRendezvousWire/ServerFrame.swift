/// A frame of the rendezvous server to a device, one a binary WebSocket message (RFC 6455). The first byte is the type,
/// and numbers are big-endian. Texts are UTF-8, their length in one byte before them.
///
/// ```
///   65 challenge  | version u8 | nonce (32) |
///   66 registered | device (16) |
///   67 rung       | call u32 | tag (16) | address |
///   68 ringing    | call u32 |
///   69 presence   | device (16) | state u8 | seconds u32 |
///   70 turn       | call u32 | seconds u32 | count u8 | count times: URL, user name, credential |
///   71 message    | call u32 | the rest, at most 65535 bytes |
///   72 data       | call u32 | the rest, at most 2048 bytes |
///   73 hung up    | call u32 | reason u8 |
///   74 draining   | seconds u32 |
///   75 refused    | reason u8 |
/// ```
package enum ServerFrame: Hashable, Sendable {
    /// The first frame of a connection.
    case challenge(version: UInt8, nonce: [UInt8])
    case registered(RendezvousID)
    /// A call for this host: the server's number for it, the permit's tag and the ringer's address as text.
    case rung(CallNumber, RingTag, address: String)
    /// The host was reached: it has the call, and gets its messages.
    case ringing(CallNumber)
    /// The presence of a watched device, and the age of that knowledge: how long ago an offline device was last online;
    /// 0 for others.
    case presence(RendezvousID, PresenceState, secondsAgo: UInt32)
    /// TURN servers for a call, to both ends before `rung` and `ringing`, and the time for which the credentials are
    /// valid.
    case turn(CallNumber, [TURNEntry], seconds: UInt32)
    case message(CallNumber, [UInt8])
    case data(CallNumber, [UInt8])
    case hungUp(CallNumber, HangUpReason)
    /// The server ends in this time. A client connects again at once, perhaps to another instance.
    case draining(seconds: UInt32)
    /// The last frame: the server closes the connection.
    case refused(RefusalReason)

    /// The first byte of a frame with a datagram, which a driver may drop rather than queue.
    package static let dataType = Kind.data.rawValue

    enum Kind: UInt8 {
        case challenge = 65
        case registered, rung, ringing, presence, turn, message, data, hungUp, draining, refused
    }
}
