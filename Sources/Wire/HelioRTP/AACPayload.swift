import HelioCore

/// An RTP payload of AAC: a list of sizes, then whole access units or one fragment of an access unit
/// ([RFC 3640](https://www.rfc-editor.org/rfc/rfc3640) sections 3.2 and 3.3, modes AAC-hbr and AAC-lbr).
///
/// ```
/// | bits of headers (16) | AU-size (13) | AU-Index (3) | AU-size (13) | AU-Index-delta (3) | … | access units …
/// ```
///
/// A unit that does not fit into a packet is sent as fragments, each with the whole unit's size in its header; the last
/// fragment's packet has the marker.
package struct AACPayload: Sendable, Hashable {
    /// The widths of an AU header's fields in bits, from the SDP parameters `sizelength`, `indexlength` and
    /// `indexdeltalength`.
    package struct Widths: Sendable, Hashable {
        package let size: Int
        package let index: Int
        package let indexDelta: Int

        /// Makes widths; `nil` if `size` is not in 1...16, or `index` or `indexDelta` is not in 0...8.
        package init?(size: Int, index: Int, indexDelta: Int) {
            guard (1...16).contains(size), (0...8).contains(index), (0...8).contains(indexDelta) else { return nil }
            self.init(unchecked: size, index, indexDelta)
        }

        private init(unchecked size: Int, _ index: Int, _ indexDelta: Int) {
            self.size = size
            self.index = index
            self.indexDelta = indexDelta
        }

        /// AAC-hbr: units of up to 8191 bytes.
        package static let highBitrate = Self(unchecked: 13, 3, 3)
        /// AAC-lbr: units of up to 63 bytes.
        package static let lowBitrate = Self(unchecked: 6, 2, 2)

        /// The size of the largest unit that an AU header can express, in bytes.
        package var maximumUnit: Int { 1 << size - 1 }

        func header(_ number: Int) -> Int { size + (number == 0 ? index : indexDelta) }
    }

    /// A malformation of a payload; its raw value is the name of a drop counter.
    package enum Malformation: String, Error, CaseIterable, Hashable, Sendable {
        /// The payload is shorter than its headers or than a size in them, or has no unit or more than `maximumUnits`.
        case truncated = "aac-truncated"
        /// The units are interleaved, which Heliograph does not support.
        case interleaved = "aac-interleaved"
        /// A fragment arrived without the fragment before it.
        case fragmentWithoutStart = "aac-fragment-without-start"
    }

    /// The maximum number of units in a packet; more are refused. RFC 3640 has no limit; FFmpeg sends up to 50.
    package static let maximumUnits = 64

    /// The byte ranges of the access units in the payload, or of the only fragment if `wholeSize` is set.
    package var units: [Range<Int>]
    /// The whole unit's size in bytes if the payload is a fragment; `nil` otherwise.
    package var wholeSize: Int?

    /// Reads a payload. Throws a `Malformation` if the payload is truncated or its units are interleaved.
    package init(_ payload: RawSpan, widths: Widths) throws(Malformation) {
        guard let bits = payload.uint16(at: 0).map(Int.init) else { throw .truncated }
        var data = 2 + (bits + 7) / 8
        guard data < payload.byteCount else { throw .truncated }
        var position = 16
        let end = 16 + bits
        units = []
        while position + widths.header(units.count) <= end {
            guard units.count < Self.maximumUnits else { throw .truncated }
            let index = units.isEmpty ? widths.index : widths.indexDelta
            let size = Self.bits(payload, at: position, count: widths.size)
            // A first index above 0, or a gap to the next unit, means interleaving (section 3.2.3.2).
            guard Self.bits(payload, at: position + widths.size, count: index) == 0 else { throw .interleaved }
            position += widths.size + index
            guard size > 0 else { throw .truncated }
            if data + size <= payload.byteCount {
                units.append(data..<data + size)
                data += size
            } else {
                // A fragment has to be the only unit in its packet.
                guard units.isEmpty, position + widths.header(1) > end else { throw .truncated }
                units.append(data..<payload.byteCount)
                wholeSize = size
                return
            }
        }
        guard !units.isEmpty else { throw .truncated }
    }

    /// Reads `count` bits, at most 16, at the bit offset `position`. The caller ensures that they exist.
    private static func bits(_ payload: RawSpan, at position: Int, count: Int) -> Int {
        var value = 0
        for bit in position..<position + count {
            value = value << 1 | Int(payload.uint8(at: bit / 8) ?? 0) >> (7 - bit % 8) & 1
        }
        return value
    }

    /// The bytes of an AAC-hbr payload besides its access units: the length of the headers, and the headers.
    package static func overhead(units: Int) -> Int { 2 + 2 * units }

    /// Makes an AAC-hbr payload of whole access units; `nil` if there are none or more than `maximumUnits`, or if a
    /// unit is empty or above 8191 bytes.
    package static func write(_ units: [[UInt8]]) -> [UInt8]? {
        guard (1...maximumUnits).contains(units.count),
            units.allSatisfy({ (1...Widths.highBitrate.maximumUnit).contains($0.count) })
        else { return nil }
        var payload: [UInt8] = []
        payload.reserveCapacity(units.reduce(overhead(units: units.count)) { $0 + $1.count })
        payload.append(bigEndian: UInt16(units.count * 16))
        for unit in units { payload.append(bigEndian: UInt16(unit.count << 3)) }
        for unit in units { payload.append(contentsOf: unit) }
        return payload
    }

    /// Makes AAC-hbr payloads of at most `limit` bytes each from one access unit; the caller sets the marker on the
    /// last payload's packet. Returns `nil` if the unit is empty or above 8191 bytes.
    package static func write(_ unit: [UInt8], limit: Int) -> [[UInt8]]? {
        guard (1...Widths.highBitrate.maximumUnit).contains(unit.count) else { return nil }
        let room = max(1, limit - overhead(units: 1))
        var payloads: [[UInt8]] = []
        var offset = 0
        while offset < unit.count {
            let end = min(offset + room, unit.count)
            var payload: [UInt8] = []
            payload.append(bigEndian: UInt16(16))
            payload.append(bigEndian: UInt16(unit.count << 3))
            payload.append(contentsOf: unit[offset..<end])
            payloads.append(payload)
            offset = end
        }
        return payloads
    }
}
