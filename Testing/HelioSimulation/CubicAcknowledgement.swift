import HelioCore

/// A `CubicReceiver`'s acknowledgement of a segment, with TCP's cumulative number and, as in selective
/// acknowledgements, the segment's own number.
///
/// ```
/// | expected (8) | sequence (8) | order (8) | stamp (8) | 8 bytes more, for TCP's size |
/// ```
struct CubicAcknowledgement: Sendable {
    /// The first segment that has not been received.
    var expected: UInt64
    /// The segment that has been received.
    var sequence: UInt64
    /// The number of the segment's transmission; each retransmission has its own number.
    var order: UInt64
    /// The time of the transmission, in nanoseconds on the sender's clock.
    var stamp: UInt64

    init(expected: UInt64, sequence: UInt64, order: UInt64, stamp: UInt64) {
        self.expected = expected
        self.sequence = sequence
        self.order = order
        self.stamp = stamp
    }

    init?(_ datagram: [UInt8]) {
        let bytes = datagram.span.bytes
        guard let expected = bytes.uint64(at: 0), let sequence = bytes.uint64(at: 8),
            let order = bytes.uint64(at: 16), let stamp = bytes.uint64(at: 24)
        else { return nil }
        self.init(expected: expected, sequence: sequence, order: order, stamp: stamp)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(40)
        bytes.append(bigEndian: expected)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: order)
        bytes.append(bigEndian: stamp)
        bytes.append(bigEndian: UInt64(0))
        return bytes
    }
}
