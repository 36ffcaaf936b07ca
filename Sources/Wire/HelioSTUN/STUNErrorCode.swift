import HelioCore

/// An error code: the reason for rejecting a request (RFC 8489 section 14.8).
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |           reserved, 0                   |class|     number    |
/// |      reason phrase, UTF-8 ...
/// ```
package struct STUNErrorCode: Hashable, Sendable {
    /// The code, 300 ... 699.
    package var code: UInt16
    /// The human-readable reason phrase; may be empty.
    package var reason: String

    package init(_ code: UInt16, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static let tryAlternate: UInt16 = 300
    package static let badRequest: UInt16 = 400
    package static let unauthenticated: UInt16 = 401
    package static let forbidden: UInt16 = 403
    package static let unknownAttribute: UInt16 = 420
    package static let allocationMismatch: UInt16 = 437
    package static let staleNonce: UInt16 = 438
    package static let roleConflict: UInt16 = 487

    init?(_ value: RawSpan) {
        guard let hundreds = value.uint8(at: 2), let number = value.uint8(at: 3),
            (3...6).contains(hundreds & 7), number < 100, let text = value.bytes(at: 4, count: value.byteCount - 4)
        else { return nil }
        self.init(UInt16(hundreds & 7) * 100 + UInt16(number), String(decoding: text, as: UTF8.self))
    }

    func append(to bytes: inout [UInt8]) {
        bytes += [0, 0, UInt8(truncatingIfNeeded: code / 100), UInt8(truncatingIfNeeded: code % 100)]
        bytes += reason.utf8
    }
}
