import HelioCore

/// The header of an Opus packet: the mode, bandwidth, length and number of its frames
/// ([RFC 6716](https://www.rfc-editor.org/rfc/rfc6716) section 3). The framing is validated to the last byte, but not
/// the contents of the frames.
///
/// ```
///  0 1 2 3 4 5 6 7
/// +-+-+-+-+-+-+-+-+
/// | config  |s| c |     s: stereo; c: 0 one frame, 1 two of equal size, 2 two of different size,
/// +-+-+-+-+-+-+-+-+        3 the next byte has the number:
/// |v|p|  frames   |     v: each frame but the last has a length field; p: there is padding
/// +-+-+-+-+-+-+-+-+
/// ```
package struct OpusPacket: Sendable, Hashable {
    /// The codec's operating mode, which all frames of a packet share.
    package enum Mode: Sendable, Hashable {
        case silk
        case hybrid
        case celt
    }

    /// The audio bandwidth; its raw value is the highest frequency in hertz.
    package enum Bandwidth: Int, Sendable, Hashable {
        case narrow = 4000
        case medium = 6000
        case wide = 8000
        case superWide = 12000
        case full = 20000
    }

    /// The maximum duration of a packet, in sample frames at 48 kHz: 120 ms.
    package static let maximumFrames = 5760
    /// The maximum size of one frame, in bytes.
    package static let maximumFrameSize = 1275

    package var mode: Mode
    package var bandwidth: Bandwidth
    package var isStereo: Bool
    /// The length of each frame, in samples of a channel at 48 kHz: 120 (2.5 ms) to 2880 (60 ms).
    package var frameLength: Int
    /// The number of frames: 1 to 48.
    package var frameCount: Int

    /// The number of samples of each channel, at 48 kHz, in the decoded packet.
    package var frames: Int { frameLength * frameCount }
    package var channels: Int { isStereo ? 2 : 1 }

    /// Reads a packet; `nil` if it violates one of the requirements R1 to R7 of section 3.4.
    package init?(_ packet: RawSpan) {
        guard let head = packet.uint8(at: 0) else { return nil }
        self.init(configuration: Int(head >> 3), isStereo: head & 4 != 0)
        switch head & 3 {
        case 0:
            guard packet.byteCount - 1 <= Self.maximumFrameSize else { return nil }
        case 1:
            frameCount = 2
            guard (packet.byteCount - 1).isMultiple(of: 2), packet.byteCount - 1 <= 2 * Self.maximumFrameSize else {
                return nil
            }
        case 2:
            frameCount = 2
            guard let first = Self.frameSize(at: 1, of: packet) else { return nil }
            let rest = packet.byteCount - 1 - first.bytes - first.size
            guard (0...Self.maximumFrameSize).contains(rest) else { return nil }
        default:
            guard checkMany(packet) else { return nil }
        }
    }

    /// Decodes the configuration number, 0 to 31 (section 3.1, table 2).
    private init(configuration: Int, isStereo: Bool) {
        self.isStereo = isStereo
        frameCount = 1
        switch configuration {
        case ..<12:
            mode = .silk
            bandwidth = [.narrow, .medium, .wide][configuration / 4]
            frameLength = [480, 960, 1920, 2880][configuration % 4]
        case ..<16:
            mode = .hybrid
            bandwidth = configuration < 14 ? .superWide : .full
            frameLength = [480, 960][configuration % 2]
        default:
            mode = .celt
            bandwidth = [.narrow, .wide, .superWide, .full][(configuration - 16) / 4]
            frameLength = [120, 240, 480, 960][configuration % 4]
        }
    }

    /// Reads the number of frames of a packet with code 3 (section 3.2.5), and returns true if the packet is valid.
    private mutating func checkMany(_ packet: RawSpan) -> Bool {
        guard let flags = packet.uint8(at: 1) else { return false }
        frameCount = Int(flags & 0x3F)
        guard frameCount > 0, frames <= Self.maximumFrames else { return false }
        var offset = 2
        var end = packet.byteCount
        if flags & 0x40 != 0 {
            var more = true
            while more {
                guard let count = packet.uint8(at: offset) else { return false }
                offset += 1
                more = count == 255
                end -= more ? 254 : Int(count)
                guard end >= offset else { return false }
            }
        }
        guard flags & 0x80 != 0 else {
            let size = end - offset
            return size.isMultiple(of: frameCount) && size / frameCount <= Self.maximumFrameSize
        }
        var total = 0
        for _ in 1..<frameCount {
            guard let frame = Self.frameSize(at: offset, of: packet) else { return false }
            offset += frame.bytes
            total += frame.size
        }
        return (0...Self.maximumFrameSize).contains(end - offset - total)
    }

    /// Reads a frame's length field, and returns the frame's size and the field's size, in bytes (section 3.2.1).
    private static func frameSize(at offset: Int, of packet: RawSpan) -> (size: Int, bytes: Int)? {
        guard let first = packet.uint8(at: offset) else { return nil }
        if first < 252 { return (Int(first), 1) }
        return packet.uint8(at: offset + 1).map { (Int($0) * 4 + Int(first), 2) }
    }
}
