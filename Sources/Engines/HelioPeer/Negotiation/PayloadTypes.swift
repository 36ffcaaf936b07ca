import HelioCore

/// The payload types of codecs. A codec keeps its payload type for the whole session. A payload type that the peer used
/// is reassigned only if no other is free.
struct PayloadTypes: Sendable {
    /// The payload types used so far, at most 128.
    private var known: [(type: PayloadType, identity: CodecIdentity)] = []

    /// The payload types to assign from: the dynamic range, then the others that RFC 5761 allows.
    private static let pool = (UInt8(96)...127).map { PayloadType($0) } + (UInt8(35)...63).map { PayloadType($0) }

    mutating func learn(_ type: PayloadType, _ identity: CodecIdentity) {
        known.removeAll { $0.type == type }
        known.append((type, identity))
    }

    /// Assigns the payload type of a codec in an offer; `nil` if none is left. A new type is in neither `taken`, the
    /// types of the offer's other codecs, nor `reserved`, the types in use by the last agreement.
    mutating func assign(
        _ identity: CodecIdentity, taken: Set<PayloadType>, reserved: Set<PayloadType>
    ) -> PayloadType? {
        // Prefer the codec's type in the last agreement to a type from an earlier description.
        let own = known.filter { $0.identity == identity && !taken.contains($0.type) }.map(\.type)
        if let type = own.first(where: { reserved.contains($0) }) ?? own.first { return type }
        let free = Self.pool.filter { !taken.contains($0) && !reserved.contains($0) }
        let type = free.first { candidate in !known.contains { $0.type == candidate } } ?? free.first
        if let type { learn(type, identity) }
        return type
    }
}
