import HelioCore

/// The header before each packet of Opus in a transport stream (the draft of ETSI TS 101 154 for Opus in MPEG-TS, as
/// FFmpeg and GStreamer have it): it delimits the packet.
///
/// ```
/// | prefix: 3FF (11) | start trim (1) | end trim (1) | extension (1) | reserved (2) |
/// | FF… and a byte below: their sum is the packet's size |
/// | 3 reserved, 13 samples: start trim | the same: end trim | length (8), extension… |     each where its flag says so
/// ```
struct OpusControlHeader: Sendable, Hashable {
    /// The bytes of the header.
    var size: Int
    /// The bytes of the packet behind it.
    var packetSize: Int

    /// Reads the header at an offset; `nil` where it is none, or cut short.
    init?(_ bytes: RawSpan, at offset: Int) {
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
