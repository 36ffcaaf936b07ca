/// An RTP synchronisation source: identifies one stream of one sender (RFC 3550 section 3).
package struct SSRC: Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
    package var description: String { "ssrc-\(String(rawValue, radix: 16))" }
}

/// The 7-bit payload type of an RTP packet (RFC 3550 section 5.1), which distinguishes video from audio (row 12).
package struct PayloadType: Hashable, Sendable {
    package var rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue & 0x7F }
}

/// A 16-bit RTP sequence number, widened to 64 bits once, on receipt, so that no other code has to handle wrapping (row
/// 9).
package struct ExtendedSequence: Hashable, Comparable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// The low 16 bits, which RTP packets carry.
    package var wire: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
    /// SRTP's rollover counter: the number of wraps of the 16 bits.
    package var rollover: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    package func advanced(by n: UInt64) -> Self { Self(rawValue &+ n) }
}

/// Widens 16-bit sequence numbers, each to the value nearest to the highest one so far.
package struct SequenceExtender: Sendable {
    package private(set) var highest: ExtendedSequence?

    package init() {}

    /// The most likely 64-bit value of `wire`; does not change the state.
    ///
    /// The first number gets a rollover of 1, so that packets sent before it, which arrive later, still get smaller
    /// numbers.
    package func extended(_ wire: UInt16) -> ExtendedSequence {
        guard let highest else { return ExtendedSequence(0x1_0000 + UInt64(wire)) }
        let delta = Int16(bitPattern: wire &- highest.wire)
        let value = Int64(bitPattern: highest.rawValue) &+ Int64(delta)
        return ExtendedSequence(UInt64(bitPattern: max(0, value)))
    }

    /// Records that a packet with this number was accepted.
    package mutating func accept(_ sequence: ExtendedSequence) {
        if highest.map({ $0 < sequence }) ?? true { highest = sequence }
    }
}

/// A bitrate, in bits per second.
package struct Bitrate: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var bitsPerSecond: Int
    package init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }
    package static func kilobits(_ n: Int) -> Bitrate { Bitrate(bitsPerSecond: n * 1000) }
    package static func megabits(_ n: Int) -> Bitrate { Bitrate(bitsPerSecond: n * 1_000_000) }

    /// The bitrate times a factor, rounded down to whole bits per second.
    package func scaled(by factor: Double) -> Bitrate {
        Bitrate(bitsPerSecond: Int(Double(bitsPerSecond) * factor))
    }
    package static func < (a: Self, b: Self) -> Bool { a.bitsPerSecond < b.bitsPerSecond }
    package var description: String {
        let tenths = (bitsPerSecond + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) Mbit/s"
    }
}
