internal import HelioCore

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// By which names a request may call this machine (docs/web/protocol.md, "The page").
///
/// A page of another site can make its own name lead here and then reach this server as itself (DNS rebinding), but the
/// browser still says that name. An address can't be made to lead elsewhere.
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

    /// - Parameter field: the value of `Host`: a name or address, with or without a port. Any port will do: on the way
    ///   here it may have been another.
    func contain(_ field: String) -> Bool {
        let text = field.lowercased()
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]),
                let address = IPAddress(text[text.index(after: text.startIndex)..<end]), address.family == .ipv6
            else { return false }
            return !address.isUnspecified
        }
        let name = text.prefix { $0 != ":" }
        guard Self.isPort(text[name.endIndex...]) else { return false }
        // 0.0.0.0 and :: lead here too, but are nobody's address.
        if let address = IPAddress(name) { return !address.isUnspecified }
        return names.contains(String(name))
    }

    /// Whether a browser takes this value of `Host` for its own machine.
    static func isLoopback(_ field: String) -> Bool {
        let text = field.lowercased()
        let name = text.first == "[" ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
        return name == "localhost" || IPAddress(name)?.isLoopback ?? false
    }

    /// Nothing, or `:` and a number of 16 bits.
    private static func isPort(_ text: Substring) -> Bool {
        if text.isEmpty { return true }
        return text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(text.dropFirst()) != nil
    }

    /// What the system calls itself; empty where it does not tell.
    package static func ofThisMachine() -> [String] {
        let longest = 255
        // One more, so that it ends in a zero.
        var buffer = [CChar](repeating: 0, count: longest + 1)
        guard gethostname(&buffer, longest) == 0 else { return [] }
        return [String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)]
    }
}
