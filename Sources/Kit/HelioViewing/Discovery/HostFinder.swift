import HelioAdmission
public import HelioCore
private import HelioSession
private import HelioStores

/// Finds a host by the name that a person types, among those that announce themselves on the local network.
public enum HostFinder {
    /// The result of a search.
    public struct Answer: Sendable {
        /// The host that was found; `nil` where none is announced that could be meant.
        public let host: DiscoveredHost?
        /// A remark to show to the person, without secrets.
        public let note: String?
    }

    /// True where a text can only be an address or a link, so that there is no name to look for.
    public static func isAddress(_ text: String) -> Bool {
        if text.contains("#") || text.contains("://") || text.hasPrefix("[") || text == "localhost" { return true }
        // `fe80::1%eth0` says its link.
        if IPAddress(text.prefix { $0 != "%" }) != nil { return true }
        if let colon = text.lastIndex(of: ":"), UInt16(text[text.index(after: colon)...]) != nil { return true }
        // `tower.lan` is a name of DNS; `Ann's tower` and `Dr. Who` are none.
        return text.contains(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+\.?$/)
    }

    /// Looks for the host until it is found, all hosts that are there are known, or the patience is over.
    ///
    /// A paired host is recognised by the fingerprint that it announces, whatever it is called now, and preferred to
    /// others of its name. The connection then proves its identity.
    ///
    /// - Parameters:
    ///   - name: as a person types it; upper and lower case are the same.
    ///   - prefersPaired: `false` where it is to be paired with, and may have another key than before: then the name
    ///     alone counts.
    ///   - patience: the longest that this takes.
    ///
    /// Throws `invalidArgument` where several hosts have the name, and lists them.
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
