import HelioAdmission
public import HelioCore
private import HelioSession
private import HelioStores

/// Finds a host that announces itself on the local network, by the name that the user types.
public enum HostFinder {
    /// The result of a search.
    public struct Answer: Sendable {
        /// The host that was found; `nil` if no announced host matches.
        public let host: DiscoveredHost?
        /// A remark to show to the user, without secrets.
        public let note: String?
    }

    /// True if a text can only be an address or a link, so that it is not looked up as a name.
    public static func isAddress(_ text: String) -> Bool {
        if text.contains("#") || text.contains("://") || text.hasPrefix("[") || text == "localhost" { return true }
        // `fe80::1%eth0` has a zone after the address.
        if IPAddress(text.prefix { $0 != "%" }) != nil { return true }
        if let colon = text.lastIndex(of: ":"), UInt16(text[text.index(after: colon)...]) != nil { return true }
        // `tower.lan` is a DNS name; `Ann's tower` and `Dr. Who` are not.
        return text.contains(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+\.?$/)
    }

    /// Looks for the host until it is found, all present hosts are known, or `patience` has elapsed.
    ///
    /// A paired host is recognised by its announced fingerprint, whatever its present name is, and preferred to others
    /// of the same name. The connection then proves its identity.
    ///
    /// - Parameters:
    ///   - name: the name as the user types it; case is ignored.
    ///   - prefersPaired: `false` for a search before pairing, when the host may have a new key: then the name alone
    ///     decides.
    ///   - patience: the longest time that the search takes.
    ///
    /// Throws `invalidArgument`, listing the hosts, if several have the name.
    public static func find(
        _ name: String, prefersPaired: Bool = true, within patience: Duration = .seconds(3)
    ) async throws(HelioError) -> Answer {
        let known = prefersPaired ? try HeliographHome.places.hosts.load() : []
        let search = HostSearch(
            name: name,
            known: known.flatMap { entry in
                let fingerprint = Hexadecimal.text(entry.link.fingerprint ?? [])
                return [entry.name, entry.link.host].map { (name: $0, fingerprint: fingerprint) }
            })
        let last = await withTaskGroup(of: HostBrowser.Snapshot?.self) { group in
            group.addTask {
                var last: HostBrowser.Snapshot?
                for await snapshot in HostBrowser() {
                    last = snapshot
                    if snapshot.isSettled || search.isSure(among: snapshot.hosts) { break }
                }
                return last
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            var last: HostBrowser.Snapshot?
            while let next = await group.next() {
                if let next { last = next }
                group.cancelAll()
            }
            return last
        }
        return try search.answer(among: last?.hosts ?? [], obstacle: last?.obstacle)
    }
}
