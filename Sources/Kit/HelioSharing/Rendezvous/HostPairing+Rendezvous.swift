internal import HelioAdmission
internal import HelioCore
private import HelioRendezvousPort
private import HelioStores

extension HostPairing {
    /// True for a paired host's name with the rendezvous server to reach it by, and by nothing else: `NAME@HOST`,
    /// `NAME@HOST:PORT` or `NAME@URL`. A paired host whose own name is the whole text comes first.
    public static func namesRendezvous(_ text: String) -> Bool {
        guard let (name, _) = parts(text) else { return false }
        let known = (try? HeliographHome.places.hosts.load()) ?? []
        return !name.isEmpty && !known.contains { $0.name == text }
    }

    private static func parts(_ text: String) -> (name: String, server: String)? {
        guard let mark = text.lastIndex(of: "@") else { return nil }
        let (name, server) = (text[..<mark], text[text.index(after: mark)...])
        // In a link, '@' comes behind its scheme.
        guard !name.contains("://"), !name.contains("#"), !server.isEmpty else { return nil }
        return (name.split(whereSeparator: \.isWhitespace).joined(separator: " "), String(server))
    }

    /// Makes the link to a paired host by its rendezvous server alone, from `NAME@SERVER`. Throws `invalidArgument` if
    /// no such host is known, or if it is reached by another server or by none.
    static func linkByRendezvous(_ text: String) throws(HelioError) -> ShareLink {
        guard let (name, server) = parts(text) else {
            throw HelioError(.invalidArgument, "There is no name before '@', or no rendezvous server behind it.")
        }
        let known = try HeliographHome.places.hosts.load()
        let exact = known.filter { $0.name == name }
        let named = exact.isEmpty ? known.filter { $0.name.lowercased() == name.lowercased() } : exact
        guard !named.isEmpty else {
            throw HelioError(
                .invalidArgument, "This machine is not paired with a host called '\(name)'.", remedy: .listDevices)
        }
        let reached = named.compactMap(\.link.rendezvous)
        guard !reached.isEmpty else {
            throw HelioError(
                .invalidArgument,
                "No rendezvous server is known for \(name): share with one there, and watch it once on its own "
                    + "network, or pair again.")
        }
        // Newer pairings come later in the list.
        let fitting = named.last { entry in
            entry.link.rendezvous.map { isMeant($0.server, by: server) } ?? false
        }
        guard let entry = fitting else {
            let servers = reached.map { $0.server.prefix { $0 != "#" } }.joined(separator: ", ")
            throw HelioError(.invalidArgument, "\(name) is reached by \(servers), not by \(server).")
        }
        var link = entry.link
        link.name = entry.name
        link.avoidsAddresses = true
        return link
    }

    /// True if a text names this server: by its URL, or by its host with or without the port.
    private static func isMeant(_ server: String, by text: String) -> Bool {
        guard let place = try? RendezvousPlace(parsing: server) else { return false }
        if text.contains("://") {
            guard let wanted = try? RendezvousPlace(parsing: text) else { return false }
            return wanted.host == place.host && wanted.port == place.port && wanted.path == place.path
                && (wanted.fingerprint == nil || wanted.fingerprint == place.fingerprint)
        }
        guard let (host, port) = Authority.parse(Substring(text)) else { return false }
        return host.lowercased() == place.host && (port == nil || port == place.port)
    }
}
