import HelioCore

/// The header of a PES packet (packetized elementary stream): the stream's identifier, and the unit's PTS and DTS
/// (ITU-T H.222.0 section 2.4.3.6).
///
/// ```
/// | prefix: 00 00 01 (24) | stream (8) | length (16) |
/// | 1 0 | scrambled (2) | priority, aligned, copyright, original (4) | times (2) | others (6) | header length (8) |
/// | 2 or 3 (4) | time 32…30 (3) | 1 | time 29…15 (15) | 1 | time 14…0 (15) | 1 |     again for a DTS
/// ```
package struct PESHeader: Sendable, Hashable {
    package enum Stream: UInt8, Sendable {
        case video = 0xE0
        case sound = 0xC0
        /// Private data: for codecs without a stream identifier, such as Opus.
        case privateData = 0xBD

        /// Returns true if a stream identifier is of this kind.
        func fits(_ number: UInt8) -> Bool {
            switch self {
            case .video: number & 0xF0 == rawValue
            case .sound: number & 0xE0 == rawValue
            case .privateData: number == rawValue
            }
        }
    }

    /// The size of the header up to and including the length field, in bytes.
    package static let prefixSize = 6

    /// The presentation time stamp (PTS), in ticks of 90 kHz, 33 bits.
    package var presentation: Int64
    /// The decoding time stamp (DTS), if it differs from the PTS.
    package var decode: Int64?
    /// The size of the whole header, in bytes.
    package var size: Int

    /// The size of the PES packet that begins with these bytes; 0 if the packet extends to the next PES packet. `nil`
    /// if the bytes are not a PES header, or too few.
    package static func unitSize(_ bytes: RawSpan) -> Int? {
        guard bytes.uint24(at: 0) == 1, let length = bytes.uint16(at: 4) else { return nil }
        return length == 0 ? 0 : prefixSize + Int(length)
    }

    /// Reads a header; `nil` if it is malformed, belongs to a stream of another type, or has no PTS.
    package init?(_ bytes: RawSpan, stream: Stream) {
        guard bytes.uint24(at: 0) == 1, let number = bytes.uint8(at: 3), stream.fits(number),
            let marks = bytes.uint8(at: 6), marks & 0xF0 == 0x80, let flags = bytes.uint8(at: 7),
            let length = bytes.uint8(at: 8)
        else { return nil }
        size = 9 + Int(length)
        guard size <= bytes.byteCount else { return nil }
        switch flags >> 6 {
        case 2:
            guard length >= 5, let time = Self.time(bytes, at: 9, mark: 2) else { return nil }
            presentation = time
        case 3:
            guard length >= 10, let time = Self.time(bytes, at: 9, mark: 3),
                let decode = Self.time(bytes, at: 14, mark: 1)
            else { return nil }
            presentation = time
            self.decode = decode
        default: return nil
        }
    }

    private static func time(_ bytes: RawSpan, at offset: Int, mark: UInt8) -> Int64? {
        guard let first = bytes.uint8(at: offset), let middle = bytes.uint16(at: offset + 1),
            let last = bytes.uint16(at: offset + 3), first >> 4 == mark, first & middle.low & last.low & 1 == 1
        else { return nil }
        return Int64(first >> 1 & 7) << 30 | Int64(middle >> 1) << 15 | Int64(last >> 1)
    }

    /// Appends a header; ``setLength(of:)`` fills in its length.
    ///
    /// - Parameters:
    ///   - presentation: the PTS in ticks of 90 kHz, of which 33 bits are written.
    ///   - decode: the DTS, if it differs.
    static func write(_ stream: Stream, presentation: Int64, decode: Int64?, into output: inout [UInt8]) {
        output.append(contentsOf: [0, 0, 1, stream.rawValue, 0, 0, 0x84])
        if let decode {
            output.append(contentsOf: [0xC0, 10])
            write(presentation, mark: 3, into: &output)
            write(decode, mark: 1, into: &output)
        } else {
            output.append(contentsOf: [0x80, 5])
            write(presentation, mark: 2, into: &output)
        }
    }

    private static func write(_ time: Int64, mark: UInt8, into output: inout [UInt8]) {
        output.append(mark << 4 | UInt8(truncatingIfNeeded: time >> 29) & 0x0E | 1)
        output.append(bigEndian: UInt16(truncatingIfNeeded: time >> 14) | 1)
        output.append(bigEndian: UInt16(truncatingIfNeeded: time << 1) | 1)
    }

    /// Sets the length field of a PES packet, so that a receiver need not wait for the next PES packet. If the length
    /// exceeds 16 bits, the field stays 0, which is allowed only for video.
    static func setLength(of unit: inout [UInt8]) {
        if let length = UInt16(exactly: unit.count - prefixSize) { unit.set(bigEndian: length, at: 4) }
    }
}

extension UInt16 {
    fileprivate var low: UInt8 { UInt8(truncatingIfNeeded: self) }
}
