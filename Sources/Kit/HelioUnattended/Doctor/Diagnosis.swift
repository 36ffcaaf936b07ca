/// Judges the facts that the doctor has gathered: pure functions, each from facts to one finding.
package enum Diagnosis {
    // MARK: Picture

    /// - Parameters:
    ///   - ways: the ways to capture, by name, whether each can be used, and why or why not.
    ///   - monitors: the monitors of the screen that would be shared.
    ///   - failure: the error with which sharing would end; `nil` for none.
    package static func display(
        ways: [(name: String, isUsable: Bool, detail: String)], monitors: [String], failure: String?
    ) -> Finding {
        if let failure { return Finding(.display, .fault, failure, advice: .nameDisplay) }
        let way = ways.first(where: \.isUsable).map { "Captured by \($0.name), \($0.detail)" } ?? "Captured"
        guard !monitors.isEmpty else {
            return Finding(
                .display, .fault, "\(way): no monitor is switched on.",
                advice: .sentence("Switch a monitor on, or plug one in; a screen that nobody sees needs one too."))
        }
        return Finding(.display, .ok, "\(way): \(monitors.joined(separator: ", ")).")
    }

    package static func encoders(_ list: [(name: String, isUsable: Bool, isHardware: Bool)]) -> Finding {
        let usable = list.filter(\.isUsable)
        guard !usable.isEmpty else {
            return Finding(
                .encoders, .fault, "No video encoder works: each has failed with a test picture.",
                advice: .command("sudo apt install libx264-164 libavcodec59"))
        }
        let hardware = usable.contains(where: \.isHardware) ? "" : " None is hardware, which is usual."
        return Finding(.encoders, .ok, "Work: \(usable.map(\.name).joined(separator: ", ")).\(hardware)")
    }

    package static func decoders(software: [String], hardware: [String]) -> Finding {
        guard !software.isEmpty || !hardware.isEmpty else {
            return Finding(
                .decoders, .warning, "No video decoder works: this machine can share, but not watch.",
                advice: .command("sudo apt install libavcodec59"))
        }
        let extra = hardware.isEmpty ? "" : "; by hardware: \(hardware.joined(separator: ", "))"
        return Finding(.decoders, .ok, "Decoded by software: \(software.joined(separator: ", "))\(extra).")
    }

    // MARK: Sound, clipboard, network

    package static func sound(devices: [String], failure: String?) -> Finding {
        if let failure {
            return Finding(
                .sound, .warning, "\(failure) The screen is shared without sound.",
                advice: .sentence("Start PipeWire or PulseAudio in this session."))
        }
        guard let first = devices.first else {
            return Finding(
                .sound, .warning, "There is no device whose sound could be shared.",
                advice: .sentence("Choose an output in the desktop's sound settings."))
        }
        return Finding(.sound, .ok, "Shared: \(first).")
    }

    package static func clipboard(isThere: Bool, failure: String?) -> Finding {
        if let failure {
            return Finding(.clipboard, .warning, failure, advice: .sentence("Pictures and control work without it."))
        }
        return isThere
            ? Finding(.clipboard, .ok, "The clipboard can be shared.")
            : Finding(
                .clipboard, .warning, "This screen has no clipboard that can be shared.",
                advice: .sentence("Pictures and control work without it."))
    }

    package static func discovery(obstacle: String?) -> Finding {
        guard let obstacle else { return Finding(.discovery, .ok, "Machines of this network find each other by name.") }
        return Finding(
            .discovery, .warning, "\(obstacle).", advice: .command("sudo apt install avahi-daemon"))
    }

    /// - Parameter own: the names of Heliograph's own programs, which may have the ports.
    package static func ports(_ list: [PortFact], own: Set<String>) -> Finding {
        let taken = list.filter { $0.socket != nil }
        guard !taken.isEmpty else {
            return Finding(.ports, .ok, "Free: \(list.map(\.name).joined(separator: ", ")).")
        }
        let others = taken.filter { !($0.owner.map(own.contains) ?? false) }
        guard !others.isEmpty else {
            return Finding(.ports, .ok, "Heliograph shares here: \(taken.map(\.name).joined(separator: ", ")).")
        }
        let names = others.map { "\($0.name) (\($0.owner ?? "a program of another user"))" }
        return Finding(
            .ports, .warning, "Taken: \(names.joined(separator: ", ")). Other ports are used instead.",
            advice: .choosePort)
    }

    package static func firewall(_ facts: FirewallFacts, ports: [PortFact]) -> Finding {
        func text(_ transport: PortFact.Transport, _ separator: String) -> String {
            ports.filter { $0.transport == transport }.map { "\($0.number)" }.joined(separator: separator)
        }
        if facts.hasUFW {
            if let rules = facts.ufwRules, ports.allSatisfy({ rules.contains("\($0.number)") }) {
                return Finding(.firewall, .ok, "ufw is on, and has rules for the ports.")
            }
            return Finding(
                .firewall, .warning,
                facts.ufwRules == nil
                    ? "ufw is on; only root can read whether it lets the ports in."
                    : "ufw is on, and has no rule for all ports.",
                advice: .command("sudo ufw allow \(text(.tcp, ","))/tcp && sudo ufw allow \(text(.udp, ","))/udp"))
        }
        if facts.hasFirewalld {
            let wanted = ports.map { "\($0.number)/\($0.transport.rawValue)" }
            if let open = facts.firewalldPorts, wanted.allSatisfy(open.contains) {
                return Finding(.firewall, .ok, "firewalld runs, and lets the ports in.")
            }
            let options = ([("permanent", nil)] + wanted.map { ("add-port", $0) })
                .map { SystemTool.option($0.0, $0.1) }.joined(separator: " ")
            let reload = SystemTool.option("reload")
            return Finding(
                .firewall, .warning, "firewalld runs, and does not name all ports.",
                advice: .command("sudo firewall-cmd \(options) && sudo firewall-cmd \(reload)"))
        }
        guard let rules = facts.nftables else {
            return Finding(
                .firewall, .ok, "No ufw and no firewalld run here; nftables' rules can be read by root alone.")
        }
        let drops = rules.split(whereSeparator: \.isNewline).contains {
            $0.contains("hook input") && $0.contains("policy drop")
        }
        guard drops, !ports.allSatisfy({ rules.contains("\($0.number)") }) else {
            return Finding(.firewall, .ok, "nftables drops nothing of the ports.")
        }
        return Finding(
            .firewall, .warning, "nftables drops what no rule lets in, and no rule names all ports.",
            advice: .sentence(
                "Let in TCP \(text(.tcp, ", ")) and UDP \(text(.udp, ", ")) in the input chain."))
    }

    /// - Parameters:
    ///   - url: the server's address without a fingerprint; `nil` if none is used.
    ///   - failure: the sentence of the error; `nil` if it was reached.
    package static func rendezvous(url: String?, failure: String?) -> Finding {
        guard let url else { return Finding(.rendezvous, .ok, "None is used: this network's machines come directly.") }
        if let failure { return Finding(.rendezvous, .warning, failure, advice: .checkRendezvous) }
        return Finding(.rendezvous, .ok, "\(url) was reached, and its certificate is good.")
    }

    /// - Parameter isSynchronised: `nil` if nobody knows.
    package static func clock(isSynchronised: Bool?) -> Finding {
        switch isSynchronised {
        case true?: Finding(.clock, .ok, "The clock is set by the network.")
        case nil: Finding(.clock, .ok, "Whether the clock is right can't be known here.")
        case false?:
            Finding(
                .clock, .warning,
                "The clock is not set by the network: certificates and hours depend on it.",
                advice: .command("sudo timedatectl set-ntp true"))
        }
    }

    // MARK: Installation

    /// - Parameters:
    ///   - files: the folder of keys and pairings, and the files in it; empty if there is none yet.
    ///   - user: the ID of this program's user.
    package static func keys(_ files: [KeyFile], user: UInt32) -> Finding {
        guard let folder = files.first(where: \.isFolder) else {
            return Finding(.keys, .ok, "There are no keys yet: sharing makes them.")
        }
        // Files of the administrator are trusted, too.
        if let foreign = files.first(where: { $0.owner != user && $0.owner != 0 }) {
            return Finding(
                .keys, .fault, "\(foreign.path) belongs to another user: keys there are not used.",
                advice: .command("sudo chown -R \(user) \(quoted(folder.path))"))
        }
        if let open = files.first(where: { $0.permissions & 0o077 != 0 }) {
            return Finding(
                .keys, .fault, "\(open.path) can be reached by other users: keys there are not used.",
                advice: .command("chmod \(open.isFolder ? "700" : "600") \(quoted(open.path))"))
        }
        return Finding(.keys, .ok, "\(folder.path) is for its user alone.")
    }

    /// Returns a path as a shell takes it.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// - Parameters:
    ///   - names: the paired devices; `nil` if their list can't be read, for the reason in `failure`.
    ///   - isNeeded: true if a service runs, which paired devices alone may use.
    package static func devices(_ names: [String]?, failure: String?, isNeeded: Bool) -> Finding {
        guard let names else { return Finding(.devices, .fault, failure ?? "The paired devices can't be read.") }
        if names.isEmpty, isNeeded {
            return Finding(
                .devices, .warning, "A service shares this machine, and no device is paired.", advice: .pairDevice)
        }
        return Finding(
            .devices, .ok,
            names.isEmpty ? "No device is paired." : "May come without a link: \(names.joined(separator: ", ")).")
    }

    /// - Parameters:
    ///   - user: the state of the user's service; `nil` if systemd can't be asked.
    ///   - system: that of the machine's service.
    package static func service(user: ServiceStatus?, system: ServiceStatus?) -> Finding {
        guard user != nil || system != nil else { return Finding(.service, .ok, "systemd can't be asked here.") }
        let installed = [(user, false), (system, true)].filter { $0.0?.isInstalled == true }
        for (status, isSystem) in installed {
            guard let status, !status.isRunning else { continue }
            return Finding(
                .service, .warning, status.sentences[0],
                advice: status.activity == "failed"
                    ? .readServiceLog(system: isSystem) : .startService(system: isSystem))
        }
        if let (status, isSystem) = installed.first(where: { ($0.0?.restarts ?? 0) > 3 }) {
            return Finding(
                .service, .warning, "The service was started again \(status?.restarts ?? 0) times after it had ended.",
                advice: .readServiceLog(system: isSystem))
        }
        let names = installed.map { $0.1 ? "the machine's" : "this user's" }
        return Finding(
            .service, .ok, names.isEmpty ? "No service is installed." : "Runs: \(names.joined(separator: " and ")).")
    }
}
