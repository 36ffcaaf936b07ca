/// The IDs of header extensions, fixed for the whole session once they are used.
struct ExtensionIDs: Sendable {
    private var known: [UInt8: String] = [:]

    mutating func learn(_ id: UInt8, _ uri: String) { known[id] = uri }

    /// Assigns an ID to an extension in an offer: a number from 1 to 14, for the one-byte form, which every peer
    /// supports, that is not in `taken`, the IDs of other extensions. Returns `nil` if none is left.
    ///
    /// - Parameter agreed: the extension's ID in the last agreement, which is preferred to an ID of an earlier
    ///   description.
    mutating func assign(_ uri: String, taken: Set<UInt8>, agreed: UInt8?) -> UInt8? {
        let pool = (UInt8(1)...14).filter { !taken.contains($0) }
        if let agreed, pool.contains(agreed), known[agreed] == uri { return agreed }
        if let id = pool.first(where: { known[$0] == uri }) { return id }
        let id = pool.first { known[$0] == nil } ?? pool.first
        if let id { learn(id, uri) }
        return id
    }
}
