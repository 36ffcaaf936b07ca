import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A host on one machine, found by its name on another.
@Suite("Hosts on another machine's network", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct NetworkDiscoveryTests {
    @Test(
        "found and watched by its name, over IPv4, IPv6 and both",
        arguments: [[AvahiMachine.Family.ipv4], [.ipv6], [.ipv4, .ipv6]])
    func discovery(_ families: [AvahiMachine.Family]) throws {
        let network = try AvahiMachine(network: .cable(to: "beta"), families: families)
        let neighbour = try #require(network.neighbouringMachine)
        let screen = try Desktop(PixelSize(width: 320, height: 240))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func environment(_ bus: [String: String], _ home: String) -> [String: String] {
            bus.merging(["DISPLAY": screen.display, "HELIOGRAPH_HOME": folder.path + "/" + home]) { $1 }
        }
        let share = try network.machine.start(
            SharedDesktop.heliograph, ["share", "--name", "Tower", "--link-file", folder.path + "/link"],
            environment: environment(network.environment, "host"))
        defer { share.kill() }
        try share.line(with: "Announced on the network as 'Tower'.")

        let discover = try neighbour.start(
            SharedDesktop.heliograph, ["discover"], environment: environment(network.neighbour, "viewer"))
        defer { discover.kill() }
        let line = try discover.line(with: "Tower")
        // The address found first is listed first.
        let addresses = families.map { $0 == .ipv4 ? "10.99.0.1:7236" : "[fd00:99::1]:7236" }
        #expect(addresses.contains { line.contains($0) }, "\(line)")

        let link = try String(contentsOfFile: folder.path + "/link", encoding: .utf8)
        let secret = link.split(separator: ".").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let viewer = try neighbour.start(
            SharedDesktop.heliograph, ["view", "tower", "--code", secret, "--stats"],
            environment: environment(network.neighbour, "viewer"))
        defer { viewer.kill() }
        var seen = "\"frames\":0,"
        while seen.contains("\"frames\":0,") { seen = try viewer.line(with: "framesPerSecond") }
    }
}
