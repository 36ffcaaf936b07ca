internal import ArgumentParser
private import HelioCore
internal import HelioViewing

/// `heliograph wake`: wakes a paired host that sleeps.
struct WakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wake", abstract: "Wake a paired machine that sleeps or is off.",
        discussion: """
            By Wake-on-LAN: packets on this machine's networks, and by the other paired machines that share with \
            --rendezvous, which send them on theirs. 'heliograph view NAME' does the same by itself.

            The machine has to permit it: in its BIOS or UEFI, and on Linux with 'ethtool -s IFACE wol g'. Few \
            machines wake by Wi-Fi.
            """)

    @Argument(
        help: "The machine's name as in 'heliograph devices', or its address, HOST or HOST:PORT.",
        completion: .custom(DeviceCompletion.hosts))
    var name: String

    func run() async throws {
        let report = try await HostWaking.wake(name)
        for line in Self.lines(report) { say(line) }
    }

    static func lines(_ report: HostWaking.Report) -> [String] {
        let machine = "\(report.host) (\(report.addresses.joined(separator: ", ")))"
        let networks = report.networks == 1 ? "this machine's network" : "\(report.networks) networks of this machine"
        let own =
            report.networks > 0
            ? "Sent packets that wake \(machine) on \(networks)."
            : "This machine is on no network that packets for \(machine) can be sent on."
        let others = report.helpers.map { helper in
            helper.failure.map { "  \(helper.name) has sent none: \($0.sentence)" }
                ?? "  \(helper.name) has sent them on its network."
        }
        let title = others.isEmpty ? [] : ["Other paired machines:"]
        return [own] + title + others
            + ["It takes a machine some seconds to half a minute to wake: heliograph view \(report.host)"]
    }
}
