import HelioCore

/// Reassembles the access units of one AAC stream from RTP payloads in sequence order (RFC 3640, RFC 6416). Buffers at
/// most one incomplete access unit or LATM element.
package struct AACDepacketizer: Sendable {
    private struct Fragment {
        var timestamp: UInt32
        var size: Int
        var bytes: [UInt8]
    }

    private enum Wrapping {
        case units(AACPayload.Widths)
        case elements(subframes: Int)
    }

    /// The maximum size of a LATM element, in bytes; a larger one is refused.
    private static let maximumElement = 1 << 16

    private let wrapping: Wrapping
    private var fragment: Fragment?

    package init(widths: AACPayload.Widths = .highBitrate) {
        wrapping = .units(widths)
    }

    /// Makes a depacketizer for LATM elements with `subframes` access units each.
    package init(subframes: Int) {
        wrapping = .elements(subframes: subframes)
    }

    /// Drops an incomplete access unit because a packet is missing.
    package mutating func reset() {
        fragment = nil
    }

    /// Adds the next payload, and returns the access units that it completes. `timestamp` is the RTP timestamp of the
    /// first unit; each further unit begins one unit's duration later.
    package mutating func take(
        _ payload: RawSpan, timestamp: UInt32, marker: Bool
    ) throws(AACPayload.Malformation) -> [[UInt8]] {
        let earlier = fragment.take()
        let widths: AACPayload.Widths
        switch wrapping {
        case .units(let agreed): widths = agreed
        case .elements(let subframes):
            return try takeElement(payload, earlier, subframes, timestamp: timestamp, marker: marker)
        }
        let parsed = try AACPayload(payload, widths: widths)
        // Each fragment states the whole unit's size, which exceeds the payload, so `wholeSize` distinguishes a
        // fragment from complete units.
        guard let size = parsed.wholeSize else {
            return parsed.units.compactMap { payload.bytes(at: $0.lowerBound, count: $0.count) }
        }
        let unit = parsed.units[0]
        guard let bytes = payload.bytes(at: unit.lowerBound, count: unit.count) else { throw .truncated }
        var begun = Fragment(timestamp: timestamp, size: size, bytes: [])
        if let earlier, earlier.timestamp == timestamp, earlier.size == size { begun = earlier }
        begun.bytes.append(contentsOf: bytes)
        guard begun.bytes.count <= size else { throw .truncated }
        if begun.bytes.count == size { return [begun.bytes] }
        // A last fragment that does not complete the unit means that the unit's beginning was lost.
        guard !marker else { throw .fragmentWithoutStart }
        fragment = begun
        return []
    }

    private mutating func takeElement(
        _ payload: RawSpan, _ earlier: Fragment?, _ subframes: Int, timestamp: UInt32, marker: Bool
    ) throws(AACPayload.Malformation) -> [[UInt8]] {
        var element: [UInt8] = []
        if let earlier, earlier.timestamp == timestamp { element = earlier.bytes }
        element += payload.bytes(at: 0, count: payload.byteCount) ?? []
        guard element.count <= Self.maximumElement else { throw .truncated }
        guard marker else {
            fragment = Fragment(timestamp: timestamp, size: 0, bytes: element)
            return []
        }
        return try LATMPayload.units(element.span.bytes, subframes: subframes).map { Array(element[$0]) }
    }
}
