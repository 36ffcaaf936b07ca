internal import HelioCore

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// The names that a request may use for this machine (docs/web/protocol.md, "The page").
///
/// A page of another site can make its own name lead here and then reach this server as itself (DNS rebinding), but the
/// browser still sends that name. An address can't be made to lead elsewhere.
package struct HostNames: Sendable {
    private let names: Set<String>

    init(_ machine: [String]) {
        var names: Set<String> = ["localhost"]
        for name in machine.map({ $0.lowercased() }) where !name.isEmpty {
            names.insert(name)
            guard let label = name.split(separator: ".").first else { continue }
            names.formUnion([String(label), "\(label).local"])
        }
        self.names = names
    }

    /// - Parameter field: the value of `Host`: a name or address, with or without a port. Any port will do: a forwarded
    ///   connection may have had another.
    func contain(_ field: String) -> Bool {
        let text = field.lowercased()
        guard let (name, rest) = Self.split(text), Self.isPort(rest) else { return false }
        let isBracketed = text.first == "["
        guard let address = IPAddress(name) else { return !isBracketed && names.contains(String(name)) }
        // 0.0.0.0 and :: lead here too, but are nobody's address.
        return isBracketed == (address.family == .ipv6) && !address.isUnspecified
    }

    /// True where a browser takes this value of `Host` for its own machine.
    static func isLoopback(_ field: String) -> Bool {
        guard let (name, _) = split(field.lowercased()) else { return false }
        return name == "localhost" || IPAddress(name)?.isLoopback ?? false
    }

    /// Splits off the name or address, without the brackets of IPv6, from what follows; `nil` where one is missing.
    private static func split(_ text: String) -> (name: Substring, rest: Substring)? {
        guard text.first == "[" else {
            let name = text.prefix { $0 != ":" }
            return (name, text[name.endIndex...])
        }
        guard let end = text.firstIndex(of: "]") else { return nil }
        return (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
    }

    /// True for an empty text, or `:` and a number of 16 bits.
    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        return text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(text.dropFirst()) != nil
    }

    /// The system's own host name; empty where it does not tell.
    package static func ofThisMachine() -> [String] {
        let longest = 255
        // One more, so that it ends in a zero.
        var buffer = [CChar](repeating: 0, count: longest + 1)
        guard gethostname(&buffer, longest) == 0 else { return [] }
        return [String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)]
    }
}
