import HelioBitstream
package import HelioCore
package import HelioRTP

/// The bytes of a packet that parity covers: everything that a receiver can't derive from the packet's position in the
/// block.
///
/// ```
/// | length after the fixed header (16) | V P X CC (8) | M PT (8) | timestamp (32) |
/// | contributing sources, header extension, payload … |
/// ```
/// A packet and its retransmission have the same symbol: it is written without padding, with the media's payload type,
/// and with zeros in elements that are stamped at each transmission. So a retransmission counts as the packet that it
/// repeats.
package enum SourceSymbol {
    /// The size in bytes of the symbol's fields before the bytes that follow the packet's fixed header.
    package static let headSize = 8

    /// Appends the symbol of a packet that was just built. The packet has no contributing sources, and the elements
    /// that are stamped on sending are still zero.
    ///
    /// - Parameters:
    ///   - headerLength: the length in bytes of everything before the payload.
    ///   - payload: the length of the payload in bytes, without padding.
    package static func append(_ packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8]) {
        precondition(headerLength >= RTPHeader.fixedSize && headerLength + payload <= packet.byteCount, "no packet")
        let count = headerLength - RTPHeader.fixedSize + payload
        symbols.append(bigEndian: UInt16(count))
        symbols.append(packet, 0..<2)
        symbols[symbols.count - 2] &= ~0x20
        symbols.append(packet, 4..<8)
        symbols.append(packet, RTPHeader.fixedSize..<RTPHeader.fixedSize + count)
    }

    /// Writes the symbol of a received packet, which may be a retransmission.
    ///
    /// - Parameters:
    ///   - payload: the range of the original payload, without padding.
    ///   - type: the payload type of the original packet.
    ///   - stamped: the IDs of the header extension's elements that are stamped at each transmission.
    package static func write(
        _ packet: RawSpan, _ header: RTPHeader, payload: Range<Int>, type: PayloadType, stamped: [UInt8],
        into symbol: inout [UInt8]
    ) {
        let count = header.length - RTPHeader.fixedSize + payload.count
        symbol.append(bigEndian: UInt16(truncatingIfNeeded: count))
        let start = symbol.count
        symbol.append(packet, 0..<1)
        symbol[start] &= ~0x20
        symbol.append(type.rawValue | (header.marker ? 0x80 : 0))
        symbol.append(bigEndian: header.timestamp)
        let extensions = symbol.count - RTPHeader.fixedSize
        symbol.append(packet, RTPHeader.fixedSize..<header.length)
        for id in stamped {
            guard let element = RTPHeaderExtension.find(id: id, of: header, in: packet) else { continue }
            for offset in element { symbol[extensions + offset] = 0 }
        }
        symbol.append(packet, payload)
    }

    /// Builds the packet from a restored symbol; `nil` if the symbol is invalid.
    package static func packet(_ symbol: RawSpan, sequence: UInt16, ssrc: SSRC) -> [UInt8]? {
        guard let length = symbol.uint16(at: 0), let first = symbol.uint8(at: 2), first >> 6 == 2,
            symbol.byteCount >= headSize + Int(length)
        else { return nil }
        var packet: [UInt8] = []
        packet.reserveCapacity(RTPHeader.fixedSize + Int(length))
        packet.append(symbol, 2..<4)
        packet.append(bigEndian: sequence)
        packet.append(symbol, 4..<8)
        packet.append(bigEndian: ssrc.rawValue)
        packet.append(symbol, headSize..<headSize + Int(length))
        return packet
    }
}
