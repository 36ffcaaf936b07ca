private import HelioUnattended

extension Advice {
    /// A sentence that names the option or command that helps.
    var text: String {
        switch self {
        case .sentence(let text): text
        case .command(let command): "Run: \(command)"
        case .nameDisplay:
            "Run this on the desktop itself, or name its display with --display; 'heliograph share --list' says which ways "
                + "there are, and why not."
        case .choosePort: "Name others with 'heliograph share --port' and '--web', or end those programs."
        case .checkRendezvous: "Take the address from the server's operator again, with its fingerprint if it has one."
        case .pairDevice: "Run 'heliograph pair' on the other machine: see docs/unattended.md."
        case .readServiceLog(let system): "Run: heliograph service logs\(system ? " --system" : "")"
        case .startService(let system):
            "Run: \(system ? "sudo systemctl" : "systemctl --user") start \(ServiceUnit.name)"
        }
    }
}
