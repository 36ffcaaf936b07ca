package import HelioCore

/// The formats of newly copied content: the content itself is transferred only on a paste. Only the newest offer
/// counts; an offer without formats withdraws the previous one.
///
/// ```
///  0      1            5        6
///  +------+------------+--------+-----------------------+
///  |  2   | serial u32 | count  | `count` times, 0 to 8 |
///  +------+------------+--------+--------------+--------+
///                      | format | size u32     |
///                      +--------+--------------+
/// ```
/// `format`: 1 text, 2 HTML, 3 PNG; each at most once. Unknown formats, which a newer peer may offer, are skipped.
/// `size`: the declared size in bytes, a hint; 0xFFFFFFFF if unknown.
package struct ClipboardOffer: Hashable, Sendable {
    /// The maximum number of formats in an offer on the wire.
    package static let mostFormats = 8
    private static let unknownSize = UInt32.max

    /// The offer's serial number, which requests refer to.
    package var serial: UInt32
    package var entries: [ClipboardEntry]

    /// - Precondition: the formats are unique.
    package init(serial: UInt32, entries: [ClipboardEntry]) {
        self.serial = serial
        self.entries = entries
    }

    init(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) {
        serial = try bytes.take32(&offset)
        let count = try bytes.take8(&offset)
        guard count <= Self.mostFormats else { throw .badValue }
        entries = []
        for _ in 0..<count {
            let code = try bytes.take8(&offset)
            let size = try bytes.take32(&offset)
            guard let format = ClipboardFormat(rawValue: code) else { continue }
            guard !entries.contains(where: { $0.format == format }) else { throw .badValue }
            entries.append(ClipboardEntry(format, size: size == Self.unknownSize ? nil : Int(size)))
        }
    }

    func append(to bytes: inout [UInt8]) {
        precondition(Set(entries.map(\.format)).count == entries.count, "a format comes once in an offer")
        bytes.append(littleEndian: serial)
        bytes.append(UInt8(entries.count))
        for entry in entries {
            bytes.append(entry.format.rawValue)
            // A size that is too large for the field is clamped to the value below `unknownSize`; no receiver accepts
            // such content.
            bytes.append(littleEndian: entry.size.map { min(UInt32(clamping: $0), .max - 1) } ?? Self.unknownSize)
        }
    }
}
