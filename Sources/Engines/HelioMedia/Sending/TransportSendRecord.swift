package import HelioCore

/// The packets sent, by transport-wide number, until the peer reports their arrival; bounded in packets and age.
package struct TransportSendRecord: Sendable {
    package struct Entry: Sendable {
        enum Fate: UInt8, Sendable {
            case unknown
            case lost
            case received
        }

        package var size: Int32
        var fate = Fate.unknown
        /// The ID of the probe that the packet was part of; `nil` for none.
        package var probe: UInt32?
        /// The stream packet that this is a copy of; `nil` for padding and parity, which need no retransmission.
        package var copy: PacketCopy?
        package var sent: Instant
    }

    private static let mostPackets = 8192
    private static let longestAge = Duration.seconds(10)

    private var window = SequenceWindow<Entry>(first: 1)

    package init() {}

    /// The number of the next packet, which never wraps; its low 16 bits are on the wire.
    package var next: UInt64 { window.end }

    package mutating func note(size: Int, probe: UInt32? = nil, copy: PacketCopy? = nil, sent: Instant) {
        window.append(Entry(size: Int32(clamping: size), probe: probe, copy: copy, sent: sent))
        while window.count > Self.mostPackets { window.removeFirst() }
        while let oldest = window[window.first], sent - oldest.sent > Self.longestAge { window.removeFirst() }
    }

    /// Extends a 16-bit number from the wire to the newest number sent with these low 16 bits; `nil` if there is none.
    func widened(_ wire: UInt16) -> UInt64? {
        let newest = window.end - 1
        let behind = UInt64(UInt16(truncatingIfNeeded: newest) &- wire)
        return behind < newest ? newest - behind : nil
    }

    package subscript(_ number: UInt64) -> Entry? {
        get { window[number] }
        set { window[number] = newValue }
    }
}
