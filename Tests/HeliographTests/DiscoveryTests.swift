import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Hosts that announce themselves, and viewers that use their names: real programs and Debian's Avahi.
@Suite("Hosts on the network", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct DiscoveryTests {
    private static let small = PixelSize(width: 640, height: 480)

    private struct Line: Decodable {
        var event: String
        var name: String?
        var addresses: [String]?
        var port: Int?
        var webURL: String?
        var fingerprint: String?
        var version: String?
        var thisMachine: Bool?
        var paired: Bool?
    }

    private func line(_ discover: RunningProgram, _ event: String, _ name: String) throws -> Line {
        func parsed(_ text: String) throws -> Line { try JSONDecoder().decode(Line.self, from: Data(text.utf8)) }
        return try parsed(
            discover.line("\(event) of \(name)") {
                let line = try parsed($0)
                return line.event == event && line.name == name
            })
    }

    private func port(_ desktop: SharedDesktop) throws -> Int {
        let address = try desktop.link.dropFirst("heliograph://".count).prefix { $0 != "/" }
        return try #require(address.split(separator: ":").last.flatMap { Int($0) })
    }

    /// Makes a file with a code that pairs without a person.
    private func makeCode() throws -> String {
        let file = NSTemporaryDirectory() + "heliograph-\(UUID().uuidString).code"
        let making = try RunningProgram(SharedDesktop.heliograph, ["devices", "make-code", file], environment: [:])
        #expect(making.waitUntilExit() == 0)
        return file
    }

    /// Starts a host with which this viewer is paired, addressed by its name.
    private func pairedDesktop(_ machine: AvahiMachine, share: [String] = []) throws -> SharedDesktop {
        let code = try makeCode()
        defer { try? FileManager.default.removeItem(atPath: code) }
        let desktop = try SharedDesktop(
            Self.small, share: ["--name", "Tower", "--pair-code-file", code] + share, avahi: machine)
        try desktop.share.line(with: "Announced on the network as 'Tower'.")
        let pairing = try desktop.run("pair", "tower", "--name", "laptop", "--code-file", code)
        #expect(pairing.waitUntilExit() == 0, "\(pairing.text)")
        #expect(pairing.text.contains("Paired with Tower"))
        #expect(!pairing.text.contains("Note:"), "its key is the one that it announced")
        return desktop
    }

    @Test("a host is listed as it comes, and no longer when it goes")
    func listing() throws {
        let machine = try AvahiMachine()
        let home = NSTemporaryDirectory() + "heliograph-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        let discover = try RunningProgram(
            SharedDesktop.heliograph, ["discover", "--json"],
            environment: machine.environment.merging(["HELIOGRAPH_HOME": home]) { $1 })
        let desktop = try SharedDesktop(Self.small, share: ["--name", "Tower"], avahi: machine)
        let host = try line(discover, "appeared", "Tower")
        #expect(host.port == (try port(desktop)))
        #expect(host.addresses == ["127.0.0.1"])
        #expect(host.thisMachine == true)
        #expect(host.paired == false)
        #expect(host.version?.isEmpty == false)
        #expect(host.fingerprint?.count == 64)
        let page = try #require(host.webURL)
        #expect(desktop.share.text.contains("\(page)#"))

        let seen = try machine.run(["stdbuf", "-oL", "avahi-browse", "-rp", "_screencast._tcp"], until: "\"fp=")
        #expect(seen.text.contains("\"fp=\(try #require(host.fingerprint))\""))

        let list = try desktop.run("discover", "--once", "2")
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("Tower   127.0.0.1:\(try port(desktop))   \(page)   this machine\n"))

        desktop.share.kill(SIGTERM)
        _ = try line(discover, "gone", "Tower")
    }

    @Test("a paired host is found by its name, wherever it is now")
    func viewByName() throws {
        let machine = try AvahiMachine()
        let desktop = try pairedDesktop(machine)
        try desktop.watch(host: "tower")
        let before = try port(desktop)
        let view = try #require(desktop.view)
        #expect(view.text.contains("Found 'Tower' at 127.0.0.1:\(before)."))
        view.kill(SIGTERM)
        _ = view.waitUntilExit()
        let list = try desktop.run("discover", "--once", "2")
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("this machine   paired\n"))

        // Another port and another name.
        desktop.share.kill(SIGTERM)
        try desktop.shareAgain(["--name", "Spire"])
        try desktop.share.line(with: "Announced on the network as 'Spire'.")
        #expect(try port(desktop) != before)
        try desktop.watch(host: "tower")
        #expect(try #require(desktop.view).text.contains("Found 'Spire' at 127.0.0.1:\(try port(desktop))."))
    }

    @Test("a host is found by its name with the code that it shows, and not without")
    func viewByNameAndCode() throws {
        let machine = try AvahiMachine()
        let desktop = try SharedDesktop(Self.small, share: ["--name", "Anna's Tower"], avahi: machine)
        try desktop.share.line(with: "Announced on the network")
        let stranger = try desktop.startViewer(["anna's tower"])
        #expect(stranger.waitUntilExit() != 0)
        #expect(stranger.text.contains("not paired with 'Anna's Tower' at 127.0.0.1:\(try port(desktop))"))
        let code = try #require(desktop.link.split(separator: ".").last)
        let viewer = try desktop.startViewer(["anna's tower", "--code", String(code), "--fullscreen"])
        try viewer.line(with: "Watching")
        viewer.kill(SIGTERM)
    }

    @Test("where several have the name, they are listed and none is taken")
    func ambiguous() throws {
        let machine = try AvahiMachine()
        let desktop = try SharedDesktop(Self.small, share: ["--name", "Tower"], avahi: machine)
        try desktop.share.line(with: "Announced on the network as 'Tower'.")
        let other = try machine.run(
            ["avahi-publish", "-s", "Tower #2", "_screencast._tcp", "7300", "txtvers=1", "name=Tower"],
            until: "Established")
        let viewer = try desktop.startViewer(["tower", "--code", "0000-0000-0000-0000"])
        #expect(viewer.waitUntilExit() != 0)
        #expect(viewer.text.contains("Several hosts are called 'tower'"))
        #expect(viewer.text.contains("'Tower' at 127.0.0.1:\(try port(desktop))"))
        #expect(viewer.text.contains("'Tower #2' at 127.0.0.1:7300"))
        other.kill()
    }

    @Test("who announces a paired host's name with another key is told of, and not gone to")
    func impostor() throws {
        let machine = try AvahiMachine()
        let place = ["--port", "\(try #require(LoopbackPort.find()))"]
        let desktop = try pairedDesktop(machine, share: place)
        let code = try makeCode()
        defer { try? FileManager.default.removeItem(atPath: code) }
        desktop.share.kill(SIGTERM)
        try desktop.shareAgain(["--no-discovery"] + place)
        let impostor = try machine.run(
            [
                "avahi-publish", "-s", "Tower", "_screencast._tcp", "7300", "txtvers=1", "name=Tower",
                "fp=" + String(repeating: "00", count: 32),
            ], until: "Established")
        let list = try desktop.run("discover", "--once", "2")
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("not the Tower that this machine is paired with"))
        try desktop.watch(host: "tower")
        #expect(try #require(desktop.view).text.contains("is not the one that this machine is paired with"))
        // Pairing is different: it uses the given name without a stored key.
        let pairing = try desktop.run("pair", "tower", "--code-file", code)
        #expect(pairing.waitUntilExit() != 0)
        #expect(pairing.text.contains("Found 'Tower' at 127.0.0.1:7300."))
        impostor.kill()
    }

    @Test("who announces a paired host's key is not believed: the certificate counts")
    func stolenFingerprint() throws {
        let machine = try AvahiMachine()
        let desktop = try pairedDesktop(machine)
        let discover = try desktop.run("discover", "--json")
        let fingerprint = try #require(try line(discover, "appeared", "Tower").fingerprint)
        discover.kill()
        desktop.share.kill(SIGTERM)
        _ = desktop.share.waitUntilExit()
        // Another host announces itself with the paired host's details.
        let stranger = try SharedDesktop(Self.small)
        let lure = try machine.run(
            ["avahi-publish", "-s", "Tower", "_screencast._tcp", "\(try port(stranger))", "fp=\(fingerprint)"],
            until: "Established")
        let viewer = try desktop.startViewer(["tower"])
        #expect(viewer.waitUntilExit() != 0)
        #expect(viewer.text.contains("Found 'Tower' at 127.0.0.1:\(try port(stranger))."))
        #expect(viewer.text.contains("not the one that this device was paired with"))
        lure.kill()
    }

    @Test("a host whose key is not the one that is announced is refused by its name, and watched by its address")
    func falseFingerprint() throws {
        let machine = try AvahiMachine()
        let desktop = try SharedDesktop(Self.small, share: ["--no-discovery"], avahi: machine)
        let lure = try machine.run(
            [
                "avahi-publish", "-s", "Tower", "_screencast._tcp", "\(try port(desktop))",
                "fp=" + String(repeating: "00", count: 32),
            ], until: "Established")
        let code = String(try #require(desktop.link.split(separator: ".").last))
        let byName = try desktop.startViewer(["tower", "--code", code])
        #expect(byName.waitUntilExit() != 0)
        #expect(byName.text.contains("not the one that announces itself by this name"))
        let byAddress = try desktop.startViewer(["127.0.0.1:\(try port(desktop))", "--code", code, "--fullscreen"])
        try byAddress.line(with: "Watching")
        byAddress.kill(SIGTERM)
        lure.kill()
    }

    @Test("without Avahi a host says so once, and is watched by its link")
    func withoutAvahi() throws {
        let machine = try AvahiMachine()
        machine.killDaemon()
        machine.killBus()
        let desktop = try SharedDesktop(Self.small, share: ["--name", "Tower"], avahi: machine)
        try desktop.share.line(with: "Not announced on the network: Avahi")
        try desktop.watch()
        let list = try desktop.run("discover", "--once", "1")
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("Note: Avahi"))
        let viewer = try desktop.startViewer(["tower"])
        #expect(viewer.waitUntilExit() != 0)
        #expect(viewer.text.contains("Hosts can't be found by name: Avahi"))
        #expect(viewer.text.contains("is not paired with tower"))
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        #expect(desktop.share.text.ranges(of: "Not announced").count == 1)
    }

    @Test("--no-discovery announces nothing")
    func quiet() throws {
        let machine = try AvahiMachine()
        let desktop = try SharedDesktop(
            Self.small, share: ["--name", "Tower", "--no-discovery"], avahi: machine)
        // Announced later and found: an earlier announcement would have been found as well.
        let other = try machine.run(
            ["avahi-publish", "-s", "other", "_screencast._tcp", "7300"], until: "Established")
        let list = try desktop.run("discover", "--once", "2")
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("other"))
        #expect(!list.text.contains("Tower"))
        let viewer = try desktop.startViewer(["nobody at all"])
        #expect(viewer.waitUntilExit() != 0)
        #expect(viewer.text.contains("No host called 'nobody at all' is announced on this network."))
        other.kill()
    }
}
