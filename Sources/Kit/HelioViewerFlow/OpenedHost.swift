public import HelioAppModels

/// A host to connect to, chosen by the user from the list, by its address, or by a link. Its description contains no
/// secret.
public struct OpenedHost: Hashable, Sendable, CustomStringConvertible {
    /// The host as it is shown and remembered, without secrets.
    public var listed: ListedHost
    /// The whole link, if the user gave one. It may hold a secret, and is not stored.
    public var link: String?
    /// The code that the user has typed for the host.
    public var code: String?

    /// Makes a value for a host of the list, or for text that the user has typed: a name, an address, or a link.
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

    /// The host's name and address, without secrets.
    public var description: String { "\(listed.name) at \(listed.address)" }

    /// The host's name for display; its address if the name is not known.
    var name: String { listed.name.isEmpty ? listed.address : listed.name }

    /// True for the RTSP stream of a third-party program, which has no pairing and can't be driven.
    var isForeign: Bool { link.map { $0.lowercased().hasPrefix("rtsp") } ?? false }

    /// Returns the part of a link that may be shown and stored: host and port, without scheme and secrets. From an RTSP
    /// address, only the user name and password are removed, since the rest is needed to connect again.
    private static func place(in link: String) -> String {
        let parts = link.prefix { $0 != "#" }.split(separator: "://", maxSplits: 1)
        guard parts.count == 2 else { return String(link.prefix { $0 != "#" }) }
        let afterUser = parts[1].lastIndex(of: "@").map { parts[1][parts[1].index(after: $0)...] } ?? parts[1]
        if parts[0].lowercased().hasPrefix("rtsp") { return "\(parts[0])://\(afterUser)" }
        return String(afterUser.prefix { $0 != "/" })
    }
}
