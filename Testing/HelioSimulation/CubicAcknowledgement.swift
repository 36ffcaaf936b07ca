import HelioCore

/// What a `CubicReceiver` tells of a segment that has come: the cumulative number of TCP, and the one of this segment,
/// as selective acknowledgements do.
///
/// ```
/// | expected (8) | sequence (8) | order (8) | stamp (8) | 8 bytes more, for TCP's size |
/// ```
struct CubicAcknowledgement: Sendable {
    /// The first segment that has not come.
    var expected: UInt64
    /// The segment that has come.
    var sequence: UInt64
    /// The number of its transmission, which no retransmission shares.
    var order: UInt64
    /// When that left, in nanoseconds on the sender's clock.
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
