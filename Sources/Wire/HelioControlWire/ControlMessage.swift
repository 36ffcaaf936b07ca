import HelioCore

/// The plaintext of one control datagram; another module encrypts it.
///
/// The first byte is the kind: 1 ``ControlInput``, 2 ``ControlAcknowledgement``, 5 ``CursorPosition``, 8
/// ``DriverNotice``, which have their own diagrams, and
/// ```
///   3 ping         4 pong                                             6 keep-alive, 7 bye
///   0   1     5           13          0   1     5        13       21       29      0      1
///   +---+-----+-----------+           +---+-----+--------+--------+--------+       +------+
///   | 3 | id  |  t1 i64   |           | 4 | id  | t1 i64 | t2 i64 | t3 i64 |       | kind |
///   +---+-----+-----------+           +---+-----+--------+--------+--------+       +------+
/// ```
/// All numbers are little-endian. A message extends to the end of its datagram.
package enum ControlMessage: Hashable, Sendable {
    case input(ControlInput)
    case acknowledgement(ControlAcknowledgement)
    /// A request for the peer's clock. `t1` is the time of sending, in microseconds on the requester's clock.
    case ping(id: UInt32, t1: Int64)
    /// The answer to a ping. `t2` and `t3` are the times at which the ping arrived and the answer was sent, in
    /// microseconds on the answerer's clock.
    case pong(id: UInt32, t1: Int64, t2: Int64, t3: Int64)
    case cursorPosition(CursorPosition)
    case driver(DriverNotice)
    /// A message without content, by which the sender shows that it is still connected.
    case keepAlive
    case bye

    /// The maximum size of the plaintext in bytes. With 48 bytes for encryption, a datagram does not exceed 1200 bytes.
    package static let maximumSize = 1152

    /// Parses a whole plaintext from an untrusted sender.
    package init(parsing bytes: RawSpan) throws(ControlWireError) {
        guard bytes.byteCount <= Self.maximumSize else { throw .tooLarge }
        var offset = ControlOffset()
        switch try bytes.take8(&offset) {
        case 1: self = .input(try ControlInput(bytes, &offset))
        case 2:
            let event = try bytes.take32(&offset)
            let motion = try bytes.take32(&offset)
            let echo = try bytes.take32(&offset)
            let rate = try bytes.take16(&offset)
            guard rate > 0 else { throw .badValue }
            self = .acknowledgement(
                ControlAcknowledgement(nextEvent: event, nextMotion: motion, echo: echo, eventsPerSecond: rate))
        case 3:
            let id = try bytes.take32(&offset)
            self = .ping(id: id, t1: Int64(bitPattern: try bytes.take64(&offset)))
        case 4:
            let id = try bytes.take32(&offset)
            let t1 = Int64(bitPattern: try bytes.take64(&offset))
            let t2 = Int64(bitPattern: try bytes.take64(&offset))
            self = .pong(id: id, t1: t1, t2: t2, t3: Int64(bitPattern: try bytes.take64(&offset)))
        case 5:
            let sequence = try bytes.take32(&offset)
            let point = try bytes.takePoint(&offset)
            let isVisible = try bytes.takeFlag(&offset)
            self = .cursorPosition(CursorPosition(sequence: sequence, point: point, isVisible: isVisible))
        case 6: self = .keepAlive
        case 7: self = .bye
        case 8: self = .driver(try DriverNotice(bytes, &offset))
        default: throw .unknownKind
        }
        guard offset.value == bytes.byteCount else { throw .trailingBytes }
    }

    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        switch self {
        case .input(let input):
            bytes.append(1)
            input.append(to: &bytes)
        case .acknowledgement(let acknowledgement):
            bytes.append(2)
            bytes.append(littleEndian: acknowledgement.nextEvent)
            bytes.append(littleEndian: acknowledgement.nextMotion)
            bytes.append(littleEndian: acknowledgement.echo)
            bytes.append(littleEndian: acknowledgement.eventsPerSecond)
        case .ping(let id, let t1):
            bytes.append(3)
            bytes.append(littleEndian: id)
            bytes.append(littleEndian: UInt64(bitPattern: t1))
        case .pong(let id, let t1, let t2, let t3):
            bytes.append(4)
            bytes.append(littleEndian: id)
            for time in [t1, t2, t3] { bytes.append(littleEndian: UInt64(bitPattern: time)) }
        case .cursorPosition(let cursor):
            bytes.append(5)
            bytes.append(littleEndian: cursor.sequence)
            bytes.append(cursor.point)
            bytes.append(flag: cursor.isVisible)
        case .keepAlive: bytes.append(6)
        case .bye: bytes.append(7)
        case .driver(let notice):
            bytes.append(8)
            notice.append(to: &bytes)
        }
        precondition(bytes.count <= Self.maximumSize, "a control message fits its datagram")
        return bytes
    }
}
