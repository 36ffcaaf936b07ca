package import HelioCore

/// The last packets of one stream in encrypted form, for peers that accept a retransmission only as the same packet.
///
/// ``SendHistory`` decides which packets are retransmitted; this type only stores them, within the same bounds.
package struct ProtectedPackets: Sendable {
    private let configuration: SendHistory.Configuration
    private var window = SequenceWindow<(bytes: [UInt8], sent: Instant)>()
    private var heldBytes = 0

    package init(configuration: SendHistory.Configuration = SendHistory.Configuration()) {
        self.configuration = configuration
    }

    /// Stores a packet that was just sent. If its number does not directly follow that of the last packet, the store is
    /// emptied first.
    package mutating func insert(_ packet: [UInt8], sequence: ExtendedSequence, now: Instant) {
        if window.end != sequence.rawValue {
            heldBytes = 0
            window.restart(at: sequence.rawValue)
        }
        heldBytes += packet.count
        window.append((packet, now))
        while let oldest = window[window.first],
            window.count > configuration.packets || heldBytes > configuration.bytes
                || now - oldest.sent > configuration.age
        {
            heldBytes -= oldest.bytes.count
            window.removeFirst()
        }
    }

    package subscript(_ sequence: ExtendedSequence) -> [UInt8]? { window[sequence.rawValue]?.bytes }
}
