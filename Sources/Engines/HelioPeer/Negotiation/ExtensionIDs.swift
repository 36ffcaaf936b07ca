/// The IDs of header extensions, fixed for the whole session once they are used.
struct ExtensionIDs: Sendable {
    private var known: [UInt8: String] = [:]

    mutating func learn(_ id: UInt8, _ uri: String) { known[id] = uri }

    /// Assigns the ID of an extension in an offer, not one of `taken`, which other extensions use; `nil` if none is
    /// left. The IDs are 1 ... 14, for the one-byte form, which every peer supports.
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
