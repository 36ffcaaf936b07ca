/// An RTP synchronisation source: identifies one stream of one sender (RFC 3550 section 3).
package struct SSRC: Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
    package var description: String { "ssrc-\(String(rawValue, radix: 16))" }
}

/// The 7-bit payload type of an RTP packet (RFC 3550 section 5.1), which distinguishes video from audio (requirement
/// row 12).
package struct PayloadType: Hashable, Sendable {
    package var rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue & 0x7F }
}

/// A 16-bit RTP sequence number, widened to 64 bits once, on receipt, so that no other code has to handle wrapping
/// (requirement row 9).
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

/// Widens 16-bit sequence numbers, each to the value nearest to the highest number accepted so far.
package struct SequenceExtender: Sendable {
    package private(set) var highest: ExtendedSequence?

    package init() {}

    /// The most likely 64-bit value of `wire`; does not change the state.
    ///
    /// The first number gets a rollover of 1, so that packets that were sent before it but arrive later still get
    /// smaller numbers.
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
public struct Bitrate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The rate, in bits per second.
    public var bitsPerSecond: Int
    /// Makes a bitrate, in bits per second.
    public init(bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }
    package static func kilobits(_ n: Int) -> Bitrate { Bitrate(bitsPerSecond: n * 1000) }
    package static func megabits(_ n: Int) -> Bitrate { Bitrate(bitsPerSecond: n * 1_000_000) }

    /// The bitrate times a factor, rounded down to whole bits per second.
    package func scaled(by factor: Double) -> Bitrate {
        Bitrate(bitsPerSecond: Int(Double(bitsPerSecond) * factor))
    }
    /// Returns true if the first bitrate is the lower one.
    public static func < (a: Self, b: Self) -> Bool { a.bitsPerSecond < b.bitsPerSecond }
    /// The bitrate as text, like `2.5 Mbit/s`.
    public var description: String {
        let tenths = (bitsPerSecond + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) Mbit/s"
    }
}

/// A signalling connection's identifier, assigned by the driver.
package struct ConnectionID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identifier of a pairing, known only to its two ends: 128 random bits drawn by the host.
package struct DeviceID: Hashable, Sendable {
    package static let length = 16

    package let bytes: [UInt8]

    /// Makes an identifier; `nil` if `bytes` does not have 16 elements.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// The identifier of one of the encodings that a source makes of its screen.
package enum EncodingID: UInt8, Sendable, Hashable, CaseIterable {
    /// The encoding that is sent to viewers by default.
    case main
    /// An encoding with smaller pictures and fewer frames, for viewers whose paths are much slower than the others'.
    case second

    /// The index of the encoding's first frame. No two encodings share a frame index, so that a viewer that has
    /// received both never mistakes one frame for another.
    package var firstFrameIndex: UInt64 { self == .main ? 0 : 1 << 40 }
}

/// A remote UDP address as seen by the driver: engines compare paths and answer on them.
///
/// A path is a plain value, and the driver keeps no state for it. An engine stores a path only after it has
/// authenticated a datagram from it. An IPv4 address stays IPv4 even on a dual-stack socket.
package struct PathID: Hashable, Sendable {
    package var ip: IPAddress
    package var port: UInt16
    /// The system's index of the interface of a link-local address; 0 for all other addresses.
    package var zone: UInt32

    package init(_ ip: IPAddress, port: UInt16, zone: UInt32 = 0) {
        self.ip = ip.unmapped
        self.port = port
        self.zone = zone
    }

    /// The path of datagrams that do not come by a UDP socket of this machine, but through a tunnel with this number:
    /// an address in 100::/64, the discard prefix, which no network routes (RFC 6666).
    package static func virtual(_ number: UInt64) -> PathID {
        PathID(.v6(high: IPAddress.discardPrefix, low: number), port: 0)
    }

    /// True for the path of a tunnel. A socket's datagram with such a source address is forged.
    package var isVirtual: Bool { ip.isDiscarded }
}
