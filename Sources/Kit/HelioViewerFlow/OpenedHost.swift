public import HelioAppModels

/// A host that the person opens: from the list, by its address, or by a link. Its description has no secret.
public struct OpenedHost: Hashable, Sendable, CustomStringConvertible {
    /// What it is called, as it is shown and remembered: never a secret.
    public var listed: ListedHost
    /// The whole link, where the person gave one: it may hold a secret, and is kept nowhere.
    public var link: String?
    /// The code that the person has typed for it.
    public var code: String?

    /// Opens a host of the list, or what the person has typed as an address: a name, an address, or a link.
    public init(_ host: ListedHost) {
        let text = host.address.filter { !$0.isWhitespace }
        guard text.contains("://") || text.contains("#") else {
            listed = host
            return
        }
        link = text
        let place = Self.place(in: text)
        listed = ListedHost(name: place, address: place)
    }

    /// Name and address.
    public var description: String { "\(listed.name) at \(listed.address)" }

    /// What a host is called where its name is not known.
    var name: String { listed.name.isEmpty ? listed.address : listed.name }

    /// True for a stream of another program: there is no pairing, and nobody to drive.
    var isForeign: Bool { link.map { $0.lowercased().hasPrefix("rtsp") } ?? false }

    /// What of a link may be shown: scheme and secrets go. Of another program's stream the address stays as it is opened
    /// again, without user and password.
    private static func place(in link: String) -> String {
        let parts = link.prefix { $0 != "#" }.split(separator: "://", maxSplits: 1)
        guard parts.count == 2 else { return String(link.prefix { $0 != "#" }) }
        let afterUser = parts[1].lastIndex(of: "@").map { parts[1][parts[1].index(after: $0)...] } ?? parts[1]
        if parts[0].lowercased().hasPrefix("rtsp") { return "\(parts[0])://\(afterUser)" }
        return String(afterUser.prefix { $0 != "/" })
    }
}
