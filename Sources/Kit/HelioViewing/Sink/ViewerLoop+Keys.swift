internal import HelioAdmission
internal import HelioCore
internal import HelioStores

extension ViewTarget {
    /// What names the host where the choice of its keys is remembered: its certificate, or else its address; `nil`: it
    /// takes no keys.
    var keysName: String? {
        guard case .link(let link) = self else { return nil }
        return link.fingerprint.map { Hexadecimal.text($0) } ?? link.authority
    }

    /// What keys are there: what the options say, else what the person chose there last.
    func keys(_ wanted: Viewer.Keys?) -> KeyMode {
        if let wanted { return wanted.mode }
        // What can't be read is no reason not to watch.
        return keysName.flatMap { try? HeliographHome.places.keys.mode(of: $0) } ?? .character
    }
}

extension Viewer.Keys {
    /// The window's mode.
    var mode: KeyMode {
        switch self {
        case .character: .character
        case .place: .place
        }
    }
}

extension ViewerLoop {
    /// Shows and remembers that the window's keys were switched.
    func toggleKeys() {
        keys = keys == .place ? .character : .place
        say(
            keys == .place
                ? "Keys by place: the host's keyboard layout applies."
                : "Keys by character: what is on your keys arrives.",
            for: Self.messageTime)
        guard let name = target.keysName else { return }
        do {
            try HeliographHome.places.keys.set(keys, of: name)
        } catch {
            onNote?("The choice of keys is not remembered: \(error.message)")
        }
    }
}
