/// The header extensions by ID, remembered as long as the session lasts.
struct ExtensionIDs: Sendable {
    private var known: [UInt8: String] = [:]

    mutating func learn(_ id: UInt8, _ uri: String) { known[id] = uri }

    /// Assigns an extension's ID in an offer, outside of `taken`, whose IDs have other meanings: 1 ... 14, for the
    /// one-byte form that every peer reads. `nil` if none is left.
    mutating func assign(_ uri: String, taken: Set<UInt8>) -> UInt8? {
        let pool = (UInt8(1)...14).filter { !taken.contains($0) }
        if let id = pool.first(where: { known[$0] == uri }) { return id }
        let id = pool.first { known[$0] == nil } ?? pool.first
        if let id { learn(id, uri) }
        return id
    }
}
