import HelioCore

/// Data on a TURN channel (RFC 8656 section 12.4).
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |   channel 0x4000 ... 0x4FFF   |      length of the data       |
/// |      data ...; over TCP padded to 4 bytes
/// ```
package struct ChannelData: Hashable, Sendable {
    package static let headerSize = 4
    package static let channels: ClosedRange<UInt16> = 0x4000...0x4FFF

    package var channel: UInt16
    package var data: [UInt8]

    package init(channel: UInt16, data: [UInt8]) {
        self.channel = channel
        self.data = data
    }

    /// Reads a whole datagram, or a message that ``STUNStreamFramer`` returned. Up to three bytes of padding are
    /// allowed, also over UDP. `nil` if it is not channel data.
    package init?(parsing datagram: RawSpan) {
        guard let channel = datagram.uint16(at: 0), Self.channels.contains(channel),
            let length = datagram.uint16(at: 2),
            let data = datagram.bytes(at: Self.headerSize, count: Int(length)),
            datagram.byteCount - Self.headerSize - data.count < 4
        else { return nil }
        self.init(channel: channel, data: data)
    }

    /// - Parameter padded: true to pad the message to a multiple of 4 bytes, as required over TCP.
    package func serialised(padded: Bool) -> [UInt8] {
        precondition(data.count <= UInt16.max, "a channel's data has at most 65535 bytes")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headerSize + data.count + 3)
        bytes.append(bigEndian: channel)
        bytes.append(bigEndian: UInt16(data.count))
        bytes += data
        if padded { bytes += repeatElement(0, count: (4 - data.count % 4) % 4) }
        return bytes
    }
}
