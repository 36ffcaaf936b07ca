internal import HelioAdmission
internal import HelioCore
internal import HelioSharing
internal import HelioStores

extension ViewTarget {
    /// The name under which the choice of keys for this host is stored: the fingerprint of its certificate, or else its
    /// address. `nil` for a target that accepts no keys.
    var keysName: String? {
        guard case .link(let link) = self else { return nil }
        return link.fingerprint.map { Hexadecimal.text($0) } ?? link.authority
    }

    /// Returns the mapping of keys for the host: the one in the options, otherwise the user's last choice for this
    /// host.
    func keys(_ wanted: Viewer.Keys?) -> KeyMode {
        if let wanted { return wanted.mode }
        // An unreadable store of key choices must not prevent watching.
        return keysName.flatMap { try? HeliographHome.places.keys.mode(of: $0) } ?? .character
    }
}

extension Viewer.Keys {
    /// The window's key mode.
    var mode: KeyMode {
        switch self {
        case .character: .character
        case .place: .place
        }
    }
}

extension ViewerLoop {
    /// Switches the key mode, shows it, and stores the choice.
    func toggleKeys() {
        keys = keys == .place ? .character : .place
        say(
            keys == .place
                ? "Keys by place: the host's keyboard layout applies."
                : "Keys by character: what is on your keys arrives.")
        guard let name = target.keysName else { return }
        do {
            try HeliographHome.places.keys.set(keys, of: name)
        } catch {
            onNote?("The choice of keys is not remembered: \(error.message)")
        }
    }
}
