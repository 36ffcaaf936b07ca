import HelioCore

/// The elements of a header extension (RFC 8285), in the one-byte or the two-byte form.
///
/// ```
/// one byte  (profile BEDE):  |  ID   | length-1 | data …    ID 1…14, 1…16 bytes
/// two bytes (profile 100x):  |  ID (8) | length (8) | data …    ID 1…255, 0…255 bytes
/// ```
/// A zero in place of an ID is padding.
package enum RTPHeaderExtension {
    package static let oneByteProfile: UInt16 = 0xBEDE
    package static let twoByteProfile: UInt16 = 0x1000

    /// One element: its ID in the session, and its data.
    package struct Element: Sendable, Hashable {
        package var id: UInt8
        package var data: [UInt8]

        package init(id: UInt8, data: [UInt8]) {
            self.id = id
            self.data = data
        }

        fileprivate var fitsOneByte: Bool { (1...14).contains(id) && (1...16).contains(data.count) }
    }

    /// The range of the data of element `id` in the packet; `nil` if there is no such element, or an element before it
    /// is malformed.
    package static func find(id: UInt8, of header: RTPHeader, in packet: RawSpan) -> Range<Int>? {
        var cursor = Cursor(header)
        while let element = cursor.next(in: packet) {
            if element.id == id { return element.data }
        }
        return nil
    }

    /// All elements up to the first malformed one. Allocates, unlike `find`.
    package static func elements(of header: RTPHeader, in packet: RawSpan) -> [Element] {
        var cursor = Cursor(header)
        var elements: [Element] = []
        while let (id, range) = cursor.next(in: packet) {
            guard let data = packet.bytes(at: range.lowerBound, count: range.count) else { break }
            elements.append(Element(id: id, data: data))
        }
        return elements
    }

    /// Appends a whole extension: profile, length, elements, padding. Uses the one-byte form if all elements fit.
    ///
    /// - Precondition: no element has the ID 0 or more than 255 bytes of data.
    package static func write(_ elements: [Element], into packet: inout [UInt8]) {
        let isOneByte = elements.allSatisfy(\.fitsOneByte)
        packet.append(bigEndian: isOneByte ? oneByteProfile : twoByteProfile)
        let lengthOffset = packet.count
        packet.append(bigEndian: UInt16(0))
        for element in elements {
            precondition(element.id > 0 && element.data.count <= 255, "no such element in RFC 8285")
            if isOneByte {
                packet.append(element.id << 4 | UInt8(element.data.count - 1))
            } else {
                packet.append(element.id)
                packet.append(UInt8(element.data.count))
            }
            packet.append(contentsOf: element.data)
        }
        while (packet.count - lengthOffset - 2) % 4 != 0 { packet.append(0) }
        packet.set(bigEndian: UInt16((packet.count - lengthOffset - 2) / 4), at: lengthOffset)
    }

    private struct Cursor {
        private var offset: Int
        private let end: Int
        private let isOneByte: Bool

        init(_ header: RTPHeader) {
            isOneByte = header.extensionProfile == oneByteProfile
            let isTwoByte = header.extensionProfile & 0xFFF0 == twoByteProfile
            end = header.extensionData.upperBound
            offset = isOneByte || isTwoByte ? header.extensionData.lowerBound : end
        }

        mutating func next(in packet: RawSpan) -> (id: UInt8, data: Range<Int>)? {
            while offset < end, packet.uint8(at: offset) == 0 { offset += 1 }
            guard offset < end, let first = packet.uint8(at: offset) else { return nil }
            let id: UInt8
            let start: Int
            let count: Int
            if isOneByte {
                id = first >> 4
                // ID 15 ends the elements (RFC 8285 section 4.2). ID 0 with a non-zero length is not padding, so the
                // rest is ignored.
                guard (1...14).contains(id) else { return nil }
                start = offset + 1
                count = Int(first & 0x0F) + 1
            } else {
                guard offset + 1 < end, let length = packet.uint8(at: offset + 1) else { return nil }
                id = first
                start = offset + 2
                count = Int(length)
            }
            guard count <= end - start, end <= packet.byteCount else { return nil }
            offset = start + count
            return (id, start..<offset)
        }
    }
}
