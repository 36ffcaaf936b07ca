internal import HelioAppModels
private import HelioViewing

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The stored state of a viewer: its settings and recent hosts. It contains no secrets: pairings are stored elsewhere,
/// and only a link's address is stored.
@MainActor
struct ViewerMemory {
    /// The maximum number of recent hosts; a further host replaces the least recently used one.
    static let mostRecent = 20
    private static let recentKey = "recentHosts"

    private struct Recent: Codable {
        var name: String
        var address: String
        var fingerprint: String?
        var usedAt: Int?
    }

    private let store: any KeyValueStore

    init(_ store: any KeyValueStore) { self.store = store }

    /// The stored settings; unreadable settings have their defaults.
    var settings: AppSettings { AppSettings(from: store) }

    func keep(_ settings: AppSettings) throws { try settings.store(in: store) }

    /// The recently used hosts, newest first.
    var recent: [ListedHost] {
        let stored: [Recent] = read(Self.recentKey) ?? []
        return stored.prefix(Self.mostRecent).map {
            ListedHost(name: $0.name, address: $0.address, fingerprint: $0.fingerprint, usedAt: $0.usedAt)
        }
    }

    /// Moves a host to the front of the list.
    func remember(_ host: ListedHost) throws { try keep([host] + others(than: host)) }

    func forget(_ host: ListedHost) throws { try keep(others(than: host)) }

    private func others(than host: ListedHost) -> [ListedHost] {
        recent.filter { known in
            if let fingerprint = host.fingerprint, known.fingerprint == fingerprint { return false }
            return known.address != host.address
        }
    }

    private func keep(_ hosts: [ListedHost]) throws {
        try write(
            hosts.prefix(Self.mostRecent).map {
                Recent(name: $0.name, address: $0.address, fingerprint: $0.fingerprint, usedAt: $0.usedAt)
            }, Self.recentKey)
    }

    private func read<Value: Decodable>(_ key: String) -> Value? {
        store.text(key).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }

    private func write(_ value: some Encodable, _ key: String) throws {
        try store.set(try value.jsonLine(), for: key)
    }
}
