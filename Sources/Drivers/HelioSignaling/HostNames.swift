internal import HelioCore

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// The names that a request may use for this machine (docs/web/protocol.md, "The page").
///
/// Another site can make its own name resolve to this machine, and so reach this server as the site's own origin (DNS
/// rebinding). The browser still sends the site's name in `Host`, so the request is refused. IP addresses need no such
/// check, as nobody can redirect them.
package struct HostNames: Sendable {
    /// The domains that routers append to a machine's name. No stranger can register one: most are reserved (RFC 6762
    /// appendix G, RFC 8375, ICANN's `internal`), and the last two belong to makers of routers.
    private static let routersDomains = [
        "local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box", "speedport.ip",
    ]

    private let names: Set<String>
    /// The names that the user has allowed; `allowedEndings` has the suffixes, with the dot, of the names allowed by
    /// `*.`.
    private let allowed: Set<String>
    private let allowedEndings: [String]

    /// - Parameters:
    ///   - machine: the names of this machine. For each, its first label is accepted, too, alone or in a router's
    ///     domain.
    ///   - allowed: further names, and `*.NAME` for all names below NAME, in the form that `isPattern` accepts.
    init(_ machine: [String], allowed: [String] = []) {
        var names: Set<String> = ["localhost"]
        for name in machine.map({ $0.lowercased() }) where !name.isEmpty {
            names.insert(name)
            guard let label = name.split(separator: ".").first else { continue }
            names.insert(String(label))
            names.formUnion(Self.routersDomains.map { "\(label).\($0)" })
        }
        self.names = names
        let allowed = allowed.map { $0.lowercased() }
        self.allowed = Set(allowed.filter { !$0.hasPrefix("*.") })
        allowedEndings = allowed.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// True for a name that can be allowed: labels of letters, digits, `-` and `_` between dots, at most 253 bytes. A
    /// first label of `*` stands for any label, and at least two labels have to follow it, as anybody can register
    /// names below a top-level domain.
    package static func isPattern(_ text: String) -> Bool {
        var labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, IPAddress(text) == nil else { return false }
        if labels.first == "*" {
            labels.removeFirst()
            guard labels.count >= 2 else { return false }
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || (0x30...0x39).contains($0)
                        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
    }

    /// True if the user has allowed the host in `field`, the value of `Host` or an origin without its scheme.
    func allows(_ field: String) -> Bool {
        let text = field.lowercased()
        guard let (name, rest) = Self.split(text), Self.isPort(rest), text.first != "[" else { return false }
        return allows(name: name)
    }

    private func allows(name: Substring) -> Bool {
        allowed.contains(String(name))
            || allowedEndings.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    }

    /// - Parameter field: the value of `Host`: a name or address, with or without a port. Any port is accepted, as a
    ///   port forwarding may have changed it.
    func contain(_ field: String) -> Bool {
        let text = field.lowercased()
        guard let (name, rest) = Self.split(text), Self.isPort(rest) else { return false }
        let isBracketed = text.first == "["
        guard let address = IPAddress(name) else {
            return !isBracketed && (names.contains(String(name)) || allows(name: name))
        }
        // Connections to 0.0.0.0 and :: reach this machine, too, but neither is its address.
        return isBracketed == (address.family == .ipv6) && !address.isUnspecified
    }

    /// True for a name or an address, with or without a port.
    static func isWellFormed(_ field: String) -> Bool {
        guard let (name, rest) = split(field.lowercased()) else { return false }
        return isPort(rest) && (IPAddress(name)?.isUnspecified == false || isPattern(String(name)) && name.first != "*")
    }

    /// True if this value of `Host` is `localhost` or a loopback address.
    static func isLoopback(_ field: String) -> Bool {
        guard let (name, _) = split(field.lowercased()) else { return false }
        return name == "localhost" || IPAddress(name)?.isLoopback ?? false
    }

    /// Splits a field into the name or address, without the brackets of IPv6, and the rest; `nil` if name or address is
    /// missing.
    private static func split(_ text: String) -> (name: Substring, rest: Substring)? {
        guard text.first == "[" else {
            let name = text.prefix { $0 != ":" }
            return (name, text[name.endIndex...])
        }
        guard let end = text.firstIndex(of: "]") else { return nil }
        return (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
    }

    /// True for an empty text, or `:` and a port number.
    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        return text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(text.dropFirst()) != nil
    }

    /// The system's own host name; empty if the system does not know it.
    package static func ofThisMachine() -> [String] {
        let longest = 255
        // The buffer has one more byte for the terminating zero.
        var buffer = [CChar](repeating: 0, count: longest + 1)
        guard gethostname(&buffer, longest) == 0 else { return [] }
        return [String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)]
    }
}
