internal import DequeModule
package import HelioCore

/// The receiver of a `CubicFlow`, which acknowledges each segment on arrival.
package struct CubicReceiver: SimulatedPeer, Sendable {
    /// The number of received segments, without duplicates.
    package private(set) var segments = 0
    private var expected: UInt64 = 0
    /// The numbers of the segments received after a gap.
    private var early: Set<UInt64> = []
    private var acknowledgements = Deque<[UInt8]>()

    package init() {}

    package mutating func receive(_ datagram: [UInt8], now: Instant) {
        let bytes = datagram.span.bytes
        guard let sequence = bytes.uint64(at: 0), let order = bytes.uint64(at: 8), let stamp = bytes.uint64(at: 16)
        else { return }
        note(sequence)
        acknowledgements.append(
            CubicAcknowledgement(expected: expected, sequence: sequence, order: order, stamp: stamp).bytes)
    }

    private mutating func note(_ sequence: UInt64) {
        if sequence == expected {
            segments += 1
            expected += 1
            while early.remove(expected) != nil { expected += 1 }
        } else if sequence > expected, early.insert(sequence).inserted {
            segments += 1
        }
    }

    package mutating func tick(now: Instant) {}

    package mutating func pollDatagram(now: Instant) -> [UInt8]? { acknowledgements.popFirst() }

    package var deadline: Deadline? { nil }
}
