internal import HelioCore
private import HelioSession

/// The rule that selects one of the announced hosts by name, without input or output.
struct HostSearch: Sendable {
    /// The name to find, normalised for comparison: lower case, single spaces.
    private let wanted: String
    private let shown: String
    /// The fingerprints of the paired hosts, with their names in lower case.
    private let paired: [(name: String, fingerprint: String)]

    init(name: String, known: [(name: String, fingerprint: String)]) {
        shown = DeviceName.clean(name, fallback: "")
        wanted = shown.lowercased()
        paired = known.map { ($0.name.lowercased(), $0.fingerprint) }
    }

    /// True if the answer is final, because further announcements can't change it.
    func isSure(among hosts: [DiscoveredHost]) -> Bool {
        let prints = Set(paired.lazy.filter { $0.name == wanted }.map(\.fingerprint))
        return prints.count == 1 && hosts.contains { $0.fingerprint.map(prints.contains) ?? false }
    }

    /// Selects the host. Throws `invalidArgument` if several have the name.
    func answer(among hosts: [DiscoveredHost], obstacle: String?) throws(HelioError) -> HostFinder.Answer {
        let prints = Set(paired.lazy.filter { $0.name == wanted }.map(\.fingerprint))
        let named = hosts.filter { $0.name.lowercased() == wanted || $0.ownName.lowercased() == wanted }
        let friends = hosts.filter { $0.fingerprint.map(prints.contains) ?? false }
        if !friends.isEmpty { return .init(host: try one(of: friends), note: nil) }
        if !prints.isEmpty {
            // The paired host of this name is not announced, so the caller uses its stored address.
            let note =
                named.isEmpty
                ? nil
                : "The host that calls itself '\(shown)' on this network is not the one that this machine is paired "
                    + "with, by the key that it announces. Trying where that was before."
            return .init(host: nil, note: note)
        }
        if !named.isEmpty {
            let others = Set(paired.map(\.fingerprint))
            let known = named.filter { $0.fingerprint.map(others.contains) ?? false }
            return .init(host: try one(of: known.isEmpty ? named : known), note: nil)
        }
        return .init(
            host: nil,
            note: obstacle.map { "Hosts can't be found by name: \($0)." }
                ?? "No host called '\(shown)' is announced on this network.")
    }

    private func one(of hosts: [DiscoveredHost]) throws(HelioError) -> DiscoveredHost {
        if hosts.count == 1 { return hosts[0] }
        let list = hosts.map { "'\($0.name)' at \($0.address)" }.joined(separator: ", ")
        throw HelioError(
            .invalidArgument, "Several hosts are called '\(shown)': \(list). Give the address of the one you mean.")
    }
}
