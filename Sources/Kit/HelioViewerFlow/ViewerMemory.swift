private import Foundation
internal import HelioAppModels

/// What a viewer remembers between its runs: its settings, and the hosts that were used last. No secrets: pairings are kept
/// elsewhere, and of a link only the address is.
@MainActor
struct ViewerMemory {
    /// The most hosts that are remembered: the one that was used the longest ago makes room.
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

    /// The settings of the last run; those that can't be read are as they are at first.
    var settings: AppSettings { AppSettings(from: store) }

    func keep(_ settings: AppSettings) throws { try settings.store(in: store) }

    /// The hosts that were used before.
    var recent: [ListedHost] {
        let stored: [Recent] = read(Self.recentKey) ?? []
        return stored.prefix(Self.mostRecent).map {
            ListedHost(name: $0.name, address: $0.address, fingerprint: $0.fingerprint, usedAt: $0.usedAt)
        }
    }

    /// Puts a host first, once.
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try store.set(String(decoding: try encoder.encode(value), as: UTF8.self), for: key)
    }
}
