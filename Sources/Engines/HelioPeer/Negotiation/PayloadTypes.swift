import HelioCore

/// The payload types by codec, remembered as long as the session lasts: a codec keeps its number, and a number that the
/// peer used is given another meaning only if no other is free.
struct PayloadTypes: Sendable {
    /// The known types, at most 128.
    private var known: [(type: PayloadType, identity: CodecIdentity)] = []

    /// The payload types to assign from: the dynamic range, then the others that RFC 5761 allows.
    private static let pool = (UInt8(96)...127).map { PayloadType($0) } + (UInt8(35)...63).map { PayloadType($0) }

    mutating func learn(_ type: PayloadType, _ identity: CodecIdentity) {
        known.removeAll { $0.type == type }
        known.append((type, identity))
    }

    /// Assigns a codec's payload type in an offer, outside of `taken`, whose types have other meanings, and of
    /// `reserved`, whose meanings are agreed on. `nil` if none is left.
    mutating func assign(
        _ identity: CodecIdentity, taken: Set<PayloadType>, reserved: Set<PayloadType>
    ) -> PayloadType? {
        // A codec's agreed type is preferred to one merely seen in a description.
        let own = known.filter { $0.identity == identity && !taken.contains($0.type) }.map(\.type)
        if let type = own.first(where: { reserved.contains($0) }) ?? own.first { return type }
        let free = Self.pool.filter { !taken.contains($0) && !reserved.contains($0) }
        let type = free.first { candidate in !known.contains { $0.type == candidate } } ?? free.first
        if let type { learn(type, identity) }
        return type
    }
}
