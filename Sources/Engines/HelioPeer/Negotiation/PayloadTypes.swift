import HelioCore

/// The payload types by codec, remembered as long as the session lasts: a codec keeps the number that it once had, and
/// numbers that the peer used are not given another meaning while there are others.
struct PayloadTypes: Sendable {
    /// The known types, at most 128.
    private var known: [(type: PayloadType, identity: CodecIdentity)] = []

    /// The types that may be given out: the dynamic range, then what RFC 5761 leaves of the rest.
    private static let pool = (UInt8(96)...127).map { PayloadType($0) } + (UInt8(35)...63).map { PayloadType($0) }

    mutating func learn(_ type: PayloadType, _ identity: CodecIdentity) {
        known.removeAll { $0.type == type }
        known.append((type, identity))
    }

    /// Gives a codec its number for an offer in which `taken` have other meanings; `reserved` have one that was agreed
    /// on.
    mutating func assign(
        _ identity: CodecIdentity, taken: Set<PayloadType>, reserved: Set<PayloadType>
    ) -> PayloadType? {
        // What was agreed on comes before what was merely heard of.
        let own = known.filter { $0.identity == identity && !taken.contains($0.type) }.map(\.type)
        if let type = own.first(where: { reserved.contains($0) }) ?? own.first { return type }
        let free = Self.pool.filter { !taken.contains($0) && !reserved.contains($0) }
        let type = free.first { candidate in !known.contains { $0.type == candidate } } ?? free.first
        if let type { learn(type, identity) }
        return type
    }
}
