import HelioCore

/// A password algorithm: the derivation of a key from a password (RFC 8489 section 14.11 and 18.5).
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |          algorithm            |  length of the parameters     |
/// |      parameters, padded to 4 bytes ...
/// ```
package struct STUNPasswordAlgorithm: Hashable, Sendable {
    package var number: UInt16
    package var parameters: [UInt8]

    package init(number: UInt16, parameters: [UInt8] = []) {
        self.number = number
        self.parameters = parameters
    }

    package static let md5 = Self(number: 1)
    package static let sha256 = Self(number: 2)

    /// Reads one algorithm and moves `offset` past it and its padding.
    init?(_ value: RawSpan, _ offset: inout Int) {
        guard let number = value.uint16(at: offset), let length = value.uint16(at: offset + 2),
            let parameters = value.bytes(at: offset + 4, count: Int(length))
        else { return nil }
        self.init(number: number, parameters: parameters)
        // The padding of the last algorithm may be outside of `value`, as the attribute's own padding.
        offset = min(offset + 4 + (Int(length) + 3) / 4 * 4, value.byteCount)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: UInt16(parameters.count))
        bytes += parameters
        bytes += repeatElement(0, count: (4 - parameters.count % 4) % 4)
    }
}
