internal import HelioCore

/// The authorities, `HOST:PORT`, by which devices may know this server.
///
/// A device signs the authority that it has dialled, so that a server can't use the signature at another one. That only
/// helps if the other one refuses authorities that are not its own.
struct ServerNames {
    private let hosts: Set<String>
    private let authorities: Set<String>

    /// - Parameter names: `HOST`, with any port, or `HOST:PORT`; in upper or lower case.
    init(_ names: [String]) {
        var hosts: Set<String> = []
        var authorities: Set<String> = []
        for name in names.map({ $0.lowercased() }) {
            guard let (host, port) = Authority.parse(Substring(name)) else { continue }
            if let port { authorities.insert(Authority.text(host, port: port)) } else { hosts.insert(host) }
        }
        self.hosts = hosts
        self.authorities = authorities
    }

    /// Returns the authority of a request, with its port; `nil` if it is malformed, or not one of this server.
    ///
    /// - Parameters:
    ///   - field: the value of `Host`.
    ///   - isSecure: whether the device has connected by HTTPS, whose port may be missing.
    func authority(of field: String, isSecure: Bool) -> String? {
        guard let (host, port) = Authority.parse(Substring(field.lowercased()), excluding: "@[]/\\\"") else {
            return nil
        }
        let text = Authority.text(host, port: port ?? (isSecure ? 443 : 80))
        if hosts.isEmpty, authorities.isEmpty { return text }
        let isOwn = hosts.contains(host) || authorities.contains(text)
        return isOwn || host == "localhost" || IPAddress(host)?.isLoopback ?? false ? text : nil
    }
}
