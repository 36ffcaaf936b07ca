/// The constants of RTMP's chunk stream
/// ([Real-Time Messaging Protocol, version 1.0](https://rtmp.veriskope.com/docs/spec/), sections 5.2 to 5.4).
///
/// ```
///  0 1 2 3 4 5 6 7
/// +-+-+-----------+
/// |fmt|   csid    |   basic header. csid 0: the id is 64 + the next byte; 1: 64 + next byte + 256 * byte after it
/// +---+-----------+-------------------+---------------+-----------------------------------------------+
/// | timestamp (24)| length (24)       | type (8)      | message stream (32, little-endian)            |
/// +---------------+-------------------+---------------+-----------------------------------------------+
///   fmt 0: all fields   1: no message stream   2: only the timestamp   3: none; 1 and 2: timestamp is a difference
/// | extended timestamp (32), if the timestamp field is FF FF FF
/// ```
package enum RTMP {
    /// The version of the handshake.
    package static let version: UInt8 = 3
    /// The size of the handshake messages C1, C2, S1 and S2, in bytes.
    package static let handshakeSize = 1536
    package static let defaultChunkSize = 128
    /// The maximum payload of a chunk in bytes, equal to the maximum size of a message.
    package static let maximumChunkSize = 0xFF_FFFF
    package static let maximumMessage = 0xFF_FFFF
    package static let chunkStreams = 2...65599

    /// The chunk streams used for sending: sound and pictures have separate chunk streams.
    package static let controlChunkStream = 2
    package static let commandChunkStream = 3
    package static let soundChunkStream = 4
    package static let dataChunkStream = 5
    package static let videoChunkStream = 6

    /// The timestamp field's value that announces an extended timestamp.
    static let extended: UInt32 = 0xFF_FFFF
}
