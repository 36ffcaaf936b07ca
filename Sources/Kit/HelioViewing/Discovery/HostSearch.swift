internal import HelioCore
private import HelioSession

/// Which of the hosts that are there a person means: no more than a rule.
struct HostSearch: Sendable {
    /// As it is compared: nobody types upper and lower case, or runs of spaces, for sure.
    private let wanted: String
    private let shown: String
    /// The fingerprints of hosts that this machine is paired with, by what they are called, in lower case.
    private let paired: [(name: String, fingerprint: String)]

    init(name: String, known: [(name: String, fingerprint: String)]) {
        shown = DeviceName.clean(name, fallback: "")
        wanted = shown.lowercased()
        paired = known.map { ($0.name.lowercased(), $0.fingerprint) }
    }

    /// What is found now will be the answer, whoever else is there.
    func isSure(among hosts: [DiscoveredHost]) -> Bool {
        let prints = Set(paired.lazy.filter { $0.name == wanted }.map(\.fingerprint))
        return prints.count == 1 && hosts.contains { $0.fingerprint.map(prints.contains) ?? false }
    }

    /// Throws `invalidArgument` where there are several.
    func answer(among hosts: [DiscoveredHost], obstacle: String?) throws(HelioError) -> HostFinder.Answer {
        let prints = Set(paired.lazy.filter { $0.name == wanted }.map(\.fingerprint))
        let named = hosts.filter { $0.name.lowercased() == wanted || $0.ownName.lowercased() == wanted }
        let friends = hosts.filter { $0.fingerprint.map(prints.contains) ?? false }
        if !friends.isEmpty { return .init(host: try one(of: friends), note: nil) }
        if !prints.isEmpty {
            // Paired with a host of this name, and it is not seen: it goes by the address that it had.
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
