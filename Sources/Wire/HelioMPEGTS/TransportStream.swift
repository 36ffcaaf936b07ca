/// The sizes, identifiers and clock of an MPEG transport stream
/// ([ITU-T H.222.0](https://www.itu.int/rec/T-REC-H.222.0) | ISO/IEC 13818-1).
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// +---------------+-+-+-+-------------------------+---+---+-------+
/// | sync byte: 47 |E|S|P|           PID           |scr|a p| count |   E: transport error, S: a unit starts,
/// +---------------+-+-+-+-------------------------+---+---+-------+   scr: scrambled,
/// |  adaptation field, if a; payload, if p; 184 bytes in all  …       count: continuity counter
/// ```
package enum TransportStream {
    package static let packetSize = 188
    /// The maximum size of a message in SRT's live mode, in bytes: seven packets, which fit into a datagram.
    package static let messageSize = 7 * packetSize
    /// Ticks per second of PTS and DTS.
    package static let rate: Int64 = 90000
    /// The maximum size of a picture that is written or read, in bytes.
    package static let maximumPicture = 8 << 20

    package static let syncByte: UInt8 = 0x47
    static let payloadSize = packetSize - 4
    package static let patPID: UInt16 = 0
    package static let nullPID: UInt16 = 0x1FFF
    /// The identifiers that the writer uses.
    static let pmtPID: UInt16 = 0x1000
    static let videoPID: UInt16 = 0x100
    static let soundPID: UInt16 = 0x101
    static let programNumber: UInt16 = 1
    /// The mask for the 33 bits of times on the wire.
    static let timeMask: Int64 = 1 << 33 - 1

    /// Converts a time to ticks, rounded toward zero.
    package static func ticks(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return seconds &* rate &+ attoseconds / 1_000_000_000 * rate / 1_000_000_000
    }

    /// Splits whole packets into messages for SRT: seven packets each, and the remainder in the last.
    ///
    /// - Parameter count: the number of bytes.
    package static func messages(in count: Int) -> some Sequence<Range<Int>> {
        stride(from: 0, to: count, by: messageSize).lazy.map { $0..<min($0 + messageSize, count) }
    }
}
