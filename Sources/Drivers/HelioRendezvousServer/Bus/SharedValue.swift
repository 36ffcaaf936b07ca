internal import HelioCore
internal import HelioRendezvousWire

/// The values of the store that instances share. A value that is none, as somebody else has written it, is as good as
/// not there.
enum SharedValue {
    private static let permit = RingTag.length + 8

    /// The key and the value of a change.
    static func entry(_ change: StoredChange, now: Int64) -> (key: String, value: [UInt8]) {
        var bytes: [UInt8] = []
        switch change {
        case .seen(let id, _, let time), .left(let id, let time):
            bytes.append(bigEndian: UInt64(bitPattern: time))
            return ("seen.\(id.text)", bytes)
        case .permits(let id, let permits):
            bytes.append(bigEndian: UInt64(bitPattern: now))
            for permit in permits.prefix(RendezvousLimits.permits) {
                bytes += permit.tag.bytes
                bytes.append(bigEndian: UInt64(bitPattern: permit.expiry ?? 0))
            }
            return ("permits.\(id.text)", bytes)
        }
    }

    /// The time with which each value begins.
    static func time(_ bytes: [UInt8]) -> Int64? {
        bytes.span.bytes.uint64(at: 0).map { Int64(bitPattern: $0) }
    }

    /// The permits of a value that have not expired.
    static func permits(_ bytes: [UInt8], now: Int64) -> [StoredPermit] {
        let count = (bytes.count - 8) / permit
        guard bytes.count >= 8, bytes.count == 8 + count * permit, count <= RendezvousLimits.permits else { return [] }
        let span = bytes.span.bytes
        return (0..<count).compactMap { index in
            let at = 8 + index * permit
            guard let tag = span.bytes(at: at, count: RingTag.length).flatMap({ RingTag($0) }),
                let expiry = span.uint64(at: at + RingTag.length).map({ Int64(bitPattern: $0) })
            else { return nil }
            guard expiry == 0 || expiry > now else { return nil }
            return StoredPermit(tag: tag, expiry: expiry == 0 ? nil : expiry)
        }
    }
}
