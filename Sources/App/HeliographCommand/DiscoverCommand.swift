internal import ArgumentParser
private import Foundation
private import HelioViewing

/// `heliograph discover`: lists the hosts that announce themselves on the local network.
struct DiscoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "List the machines on this network that share their screen.",
        discussion: """
            Lists each as it comes (+), changes (~) and goes (-), until Ctrl-C. A name can be given to 'heliograph pair' \
            and 'heliograph view'. Anybody on the network can announce anything: that a machine is the one that it says it \
            is, only pairing and links show.

            With --json each is a line of JSON: event (appeared, changed, gone or note), name, ownName, addresses, port, \
            webURL, fingerprint (SHA-256 of the certificate that it says it has, hexadecimal), version, thisMachine, \
            paired (whether that is the certificate of a machine that this one is paired with).
            """)

    @Flag(help: "A line of JSON for each.")
    var json = false

    @Option(help: ArgumentHelp("List what is there after so many seconds, and end.", valueName: "seconds"))
    var once: Double?

    func validate() throws {
        if let once, !(0...3600).contains(once) {
            throw ValidationError("--once \(once): give a number of seconds from 0 to 3600.")
        }
    }

    func run() async throws {
        // The output is useless without a reader, so SIGPIPE ends the program, as it ends other listing commands.
        signal(SIGPIPE, SIG_DFL)
        guard let once else { return await follow() }
        let last = await withTaskGroup(of: HostBrowser.Snapshot?.self) { group in
            group.addTask {
                var last: HostBrowser.Snapshot?
                for await snapshot in HostBrowser() { last = snapshot }
                return last
            }
            try? await Task.sleep(for: .seconds(once))
            group.cancelAll()
            return await group.next() ?? nil
        }
        if let obstacle = last?.obstacle { note("\(obstacle).") }
        let hosts = last?.hosts ?? []
        if hosts.isEmpty, !json { say("No machine on this network announces that it shares its screen.") }
        for host in hosts { show(host, .appeared) }
    }

    /// Prints changes of the list until the program is ended.
    private func follow() async {
        var shown: [DiscoveredHost.ID: DiscoveredHost] = [:]
        var obstacle: String?
        for await snapshot in HostBrowser() {
            if let why = snapshot.obstacle, why != obstacle { note("\(why). Hosts are listed once it does.") }
            obstacle = snapshot.obstacle ?? obstacle
            let present = Dictionary(uniqueKeysWithValues: snapshot.hosts.map { ($0.id, $0) })
            for (id, host) in shown where present[id] == nil { show(host, .gone) }
            for host in snapshot.hosts {
                switch shown[host.id] {
                case nil: show(host, .appeared)
                case host: break
                default: show(host, .changed)
                }
            }
            shown = present
        }
    }

    private enum Change: String {
        case appeared
        case changed
        case gone
    }

    private struct Line: Encodable {
        var event: String
        var name: String?
        var ownName: String?
        var addresses: [String]?
        var port: Int?
        var webURL: String?
        var fingerprint: String?
        var version: String?
        var thisMachine: Bool?
        var paired: Bool?
        var text: String?
    }

    private func show(_ host: DiscoveredHost, _ change: Change) {
        let known = (try? DeviceBook().allHosts()) ?? []
        let isPaired = known.contains { $0.fingerprint == host.fingerprint }
        if json {
            return write(
                Line(
                    event: change.rawValue, name: host.name, ownName: host.ownName, addresses: host.addresses,
                    port: host.port, webURL: host.webURL, fingerprint: host.fingerprint, version: host.version,
                    thisMachine: host.isThisMachine, paired: isPaired))
        }
        var columns = [host.name, host.address]
        if let url = host.webURL { columns.append(url) }
        if host.isThisMachine { columns.append("this machine") }
        if isPaired {
            columns.append("paired")
        } else if known.contains(where: { $0.name == host.ownName }) {
            columns.append("not the \(host.ownName) that this machine is paired with")
        }
        let sign =
            switch change {
            case .appeared: once == nil ? "+ " : ""
            case .changed: "~ "
            case .gone: "- "
            }
        say(sign + columns.joined(separator: "   "))
    }

    private func note(_ text: String) {
        if json { write(Line(event: "note", text: text)) } else { Output.warn("Note: \(text)") }
    }

    private func write(_ line: Line) {
        if let text = try? line.jsonLine() { Output.data(text) }
    }
}
