import HelioCore

/// The control header in front of each Opus packet in a transport stream, which delimits the packet (the draft of ETSI
/// TS 101 154 for Opus in MPEG-TS, as FFmpeg and GStreamer implement it).
///
/// ```
/// | prefix: 3FF (11) | start trim (1) | end trim (1) | extension (1) | reserved (2) |
/// | FF… and a byte below FF: their sum is the packet's size |
/// | 3 reserved, 13 samples: start trim | the same: end trim | length (8), extension… |     each if its flag is set
/// ```
package struct OpusControlHeader: Sendable, Hashable {
    /// The size of the header, in bytes.
    package var size: Int
    /// The size of the Opus packet after the header, in bytes.
    package var packetSize: Int

    /// Reads the header at an offset; `nil` if there is none, or it is truncated.
    package init?(_ bytes: RawSpan, at offset: Int) {
        guard let word = bytes.uint16(at: offset), word >> 5 == 0x3FF else { return nil }
        var place = offset + 2
        packetSize = 0
        var isLast = false
        while !isLast {
            guard let byte = bytes.uint8(at: place) else { return nil }
            place += 1
            packetSize += Int(byte)
            isLast = byte < 255
        }
        if word & 0x10 != 0 { place += 2 }
        if word & 0x08 != 0 { place += 2 }
        if word & 0x04 != 0 {
            guard let length = bytes.uint8(at: place) else { return nil }
            place += 1 + Int(length)
        }
        guard place <= bytes.byteCount else { return nil }
        size = place - offset
    }

    static func write(packetSize: Int, into output: inout [UInt8]) {
        output.append(bigEndian: 0x7FE0 as UInt16)
        output.append(contentsOf: repeatElement(255, count: packetSize / 255))
        output.append(UInt8(packetSize % 255))
    }
}
