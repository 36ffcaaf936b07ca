package import HelioCore

/// Heliograph's header extension that carries a frame's times to the sink: on the frame's last packet, as an element of
/// 14 bytes in RFC 8285's one-byte form.
///
/// ```
/// | captured, µs on the source's clock (6) | captured - damaged, 1 µs (2) | converted - captured, 4 µs (2) |
/// | encoded - captured, 8 µs (2) | sent - captured, 8 µs (2) |
/// ```
/// Deltas are clamped: FFFE means that value or more, and 0 also means a negative delta. FFFF means that the stage has
/// no time. The 48 bits wrap after 8.9 years of the source's clock and are not unwrapped, so a source must not run for
/// longer, and its clock must not be negative.
package struct FrameTimingExtension: Sendable, Hashable {
    /// The URI that names the element in SDP's `a=extmap` (RFC 8285 section 5).
    package static let uri = "urn:heliograph:frame-timing"
    /// The length of the element's data, in bytes.
    package static let size = 14
    /// The length of an extension with only this element, including profile and padding, in bytes.
    package static let extensionSize = 20
    /// The length of the element with its one-byte header, in bytes.
    package static let elementSize = 1 + size

    /// The frame's times; the wire format rounds them down to its units.
    package var timing: FrameTiming
    /// The time at which the source handed the frame's last packet to the socket, on the source's clock.
    package var sent: Instant

    package init(timing: FrameTiming, sent: Instant) {
        self.timing = timing
        self.sent = sent
    }

    private static let untold = UInt16.max
    private static let most = UInt16.max - 1

    /// The microseconds in a unit of each delta.
    private enum Unit {
        static let damaged: Int64 = 1
        static let converted: Int64 = 4
        static let encoded: Int64 = 8
        static let sent: Int64 = 8
    }

    /// Reads an element's data; `nil` if its length is wrong.
    package static func parse(_ data: RawSpan) -> Self? {
        guard
            data.byteCount == size, let high = data.uint16(at: 0), let low = data.uint32(at: 2),
            let damaged = data.uint16(at: 6), let converted = data.uint16(at: 8),
            let encoded = data.uint16(at: 10), let sent = data.uint16(at: 12)
        else { return nil }
        let microseconds = Int64(high) << 32 | Int64(low)
        let captured = Instant(nanoseconds: microseconds * 1000)
        func after(_ delta: UInt16, _ unit: Int64) -> Instant {
            captured + .microseconds(Int64(min(delta, most)) * unit)
        }
        let timing = FrameTiming(
            damaged: captured - .microseconds(Int64(min(damaged, most)) * Unit.damaged), captured: captured,
            converted: converted == untold ? nil : after(converted, Unit.converted),
            encoded: encoded == untold ? nil : after(encoded, Unit.encoded))
        return Self(timing: timing, sent: after(sent, Unit.sent))
    }

    /// Appends a whole extension with only this element: `extensionSize` bytes.
    ///
    /// - Precondition: `id` is 1 to 14.
    package func writeExtension(id: UInt8, into packet: inout [UInt8]) {
        packet.append(bigEndian: RTPHeaderExtension.oneByteProfile)
        packet.append(bigEndian: UInt16(4))
        writeElement(id: id, into: &packet)
        packet.append(0)
    }

    /// Appends the element in the one-byte form: `elementSize` bytes.
    ///
    /// - Precondition: `id` is 1 to 14.
    package func writeElement(id: UInt8, into packet: inout [UInt8]) {
        precondition((1...14).contains(id), "one-byte form has no such element")
        packet.append(id << 4 | UInt8(Self.size - 1))
        let captured = UInt64(bitPattern: timing.captured.microseconds)
        packet.append(bigEndian: UInt16(truncatingIfNeeded: captured >> 32))
        packet.append(bigEndian: UInt32(truncatingIfNeeded: captured))
        packet.append(bigEndian: Self.delta(timing.captured - timing.damaged, Unit.damaged))
        packet.append(bigEndian: delta(timing.converted, Unit.converted))
        packet.append(bigEndian: delta(timing.encoded, Unit.encoded))
        packet.append(bigEndian: delta(sent, Unit.sent))
    }

    private func delta(_ stage: Instant?, _ unit: Int64) -> UInt16 {
        stage.map { Self.delta($0 - timing.captured, unit) } ?? Self.untold
    }

    private static func delta(_ duration: Duration, _ unit: Int64) -> UInt16 {
        UInt16(min(max(0, duration.nanoseconds / 1000 / unit), Int64(most)))
    }
}
