import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Two real programs with separate home folders: pairing, reconnecting, revocation.
@Suite("Pairing and known devices", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct PairingTests {
    static let small = PixelSize(width: 640, height: 480)

    /// Returns the code of six digits in two groups, the last in a line.
    private static func code(in line: String) throws -> String {
        try String(#require(line.firstMatch(of: /[0-9]{3} [0-9]{3}/)).output)
    }

    private static func address(_ desktop: SharedDesktop) throws -> String {
        let link = try desktop.link.dropFirst("heliograph://".count)
        return String(link.prefix { $0 != "/" })
    }

    private static func run(_ desktop: SharedDesktop, _ home: String, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            SharedDesktop.heliograph, arguments, environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/" + home])
    }

    /// Pairs without a person; returns the host's address.
    private static func pairedDesktop(_ size: PixelSize = small) throws -> (SharedDesktop, String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let code = folder.path + "/code"
        let making = try RunningProgram(SharedDesktop.heliograph, ["devices", "make-code", code], environment: [:])
        #expect(making.waitUntilExit() == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: code)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        let desktop = try SharedDesktop(size, share: ["--pair-code-file", code, "--name", "tower"])
        let host = try address(desktop)
        let pairing = try run(desktop, "viewer", "pair", host, "--name", "laptop", "--code-file", code)
        #expect(pairing.waitUntilExit() == 0)
        #expect(pairing.text.contains("Paired with tower, to watch and control"))
        try desktop.share.line(with: "laptop (127.0.0.1) is paired")
        // The code is valid for one device.
        let second = try run(desktop, "other", "pair", host, "--code-file", code)
        #expect(second.waitUntilExit() != 0)
        #expect(second.text.contains("pair"))
        try desktop.share.line(with: "Somebody at 127.0.0.1 wanted to pair. Nobody can be asked here")
        return (desktop, host)
    }

    @Test(
        "a code or a link that others can read is not used",
        arguments: [
            ["share", "--pair-code-file", "FILE"], ["pair", "127.0.0.1:1", "--code-file", "FILE"],
            ["view", "--link-file", "FILE"],
        ])
    func openFiles(arguments: [String]) throws {
        let file = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        _ = FileManager.default.createFile(
            atPath: file, contents: Data("sesame\n".utf8), attributes: [.posixPermissions: 0o644])
        let program = try RunningProgram(
            SharedDesktop.heliograph, arguments.map { $0 == "FILE" ? file : $0 },
            environment: ["HELIOGRAPH_HOME": file + ".home"])
        #expect(program.waitUntilExit() != 0)
        #expect(program.text.contains("chmod 600 \(file)") && !program.text.contains("sesame"), "\(program.text)")
    }

    @Test("two people compare codes on two terminals, and the device comes back without asking")
    func comparing() throws {
        let (hostTerminal, viewerTerminal) = (try Terminal(), try Terminal())
        let desktop = try SharedDesktop(Self.small, standardInput: hostTerminal.side)
        let host = try Self.address(desktop)
        let pairing = try desktop.destination.start(
            SharedDesktop.heliograph, ["pair", host, "--name", "laptop"],
            environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/viewer"], standardInput: viewerTerminal.side)
        let seen = try Self.code(in: pairing.line(with: "show the code"))
        try desktop.share.line(with: "'laptop' at 127.0.0.1 wants to come")
        #expect(try Self.code(in: desktop.share.line(with: "It must show this code")) == seen)
        try desktop.share.line(with: "[y/w/n]")
        try hostTerminal.type("w") { desktop.share.text.contains("'laptop' may watch, once") }
        viewerTerminal.type("y\n")
        #expect(pairing.waitUntilExit() == 0)
        #expect(pairing.text.contains("to watch."))
        try desktop.share.line(with: "laptop (127.0.0.1) is paired")

        let viewer = try desktop.startViewer([host, "--fullscreen"])
        try viewer.line(with: "Watching")
        try desktop.share.line(with: "laptop (127.0.0.1) is watching")
        viewer.kill(SIGTERM)
        for name in ["host/devices.json", "viewer/hosts.json"] {
            let mode = try FileManager.default.attributesOfItem(atPath: desktop.folder.path + "/" + name)[
                .posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
        }
        // The link is still valid, since nobody used it.
        try desktop.watch()

        // The same machine with another name is not another device.
        let again = try desktop.destination.start(
            SharedDesktop.heliograph, ["pair", host, "--name", "notebook"],
            environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/viewer"], standardInput: viewerTerminal.side)
        try again.line(with: "show the code")
        try desktop.share.line(with: "'notebook' at 127.0.0.1 wants to come")
        try hostTerminal.type("y") { desktop.share.text.contains("'notebook' may watch and control, once") }
        viewerTerminal.type("y\n")
        #expect(again.waitUntilExit() == 0)
        try desktop.share.line(with: "laptop (127.0.0.1) is paired")
        let list = try Self.run(desktop, "host", "devices")
        #expect(list.waitUntilExit() == 0)
        #expect(
            list.text.contains("  laptop   window   control   since 20") && !list.text.contains("notebook"),
            "\(list.text)")
        #expect(list.text.split(separator: "\n").count == 2)
    }

    @Test("who says no at the host pairs nobody, and neither does who says no at the viewer", arguments: [true, false])
    func no(atHost: Bool) throws {
        let (hostTerminal, viewerTerminal) = (try Terminal(), try Terminal())
        let desktop = try SharedDesktop(Self.small, standardInput: hostTerminal.side)
        let host = try Self.address(desktop)
        let pairing = try desktop.destination.start(
            SharedDesktop.heliograph, ["pair", host, "--name", "laptop"],
            environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/viewer"], standardInput: viewerTerminal.side)
        try pairing.line(with: "show the code")
        try desktop.share.line(with: "[y/w/n]")
        try hostTerminal.type(atHost ? "n" : "y") {
            desktop.share.text.contains(atHost ? "'laptop' is refused" : "'laptop' may watch and control, once")
        }
        viewerTerminal.type(atHost ? "y\n" : "n\n")
        #expect(pairing.waitUntilExit() != 0)
        #expect(!FileManager.default.fileExists(atPath: desktop.folder.path + "/host/devices.json"))
        #expect(!FileManager.default.fileExists(atPath: desktop.folder.path + "/viewer/hosts.json"))
        let stranger = try desktop.startViewer([host])
        #expect(stranger.waitUntilExit() != 0)
        #expect(stranger.text.contains("heliograph pair"))
    }

    @Test("a paired device is listed, renamed, put out while it watches, and refused from then on")
    func revoking() throws {
        let (desktop, host) = try Self.pairedDesktop()
        let viewer = try desktop.startViewer([host, "--fullscreen"])
        try viewer.line(with: "Watching")
        try desktop.share.line(with: "laptop (127.0.0.1) is watching")

        let list = try Self.run(desktop, "host", "devices")
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("laptop   window   control   since 20"))
        let hasVisit = Patience().wait {
            guard let list = try? Self.run(desktop, "host", "devices") else { return false }
            return list.waitUntilExit() == 0 && list.text.contains(/, last here 20.* from 127\.0\.0\.1/)
        }
        #expect(hasVisit)
        let known = try Self.run(desktop, "viewer", "devices")
        #expect(known.waitUntilExit() == 0)
        #expect(known.text.contains("tower   \(host)"))
        let rename = try Self.run(desktop, "host", "devices", "rename", "laptop", "Ann's laptop")
        #expect(rename.waitUntilExit() == 0)
        let watchOnly = try Self.run(desktop, "host", "devices", "allow", "Ann's laptop", "watch")
        #expect(watchOnly.waitUntilExit() == 0)
        let nobody = try Self.run(desktop, "host", "devices", "revoke", "laptop")
        #expect(nobody.waitUntilExit() != 0)
        #expect(nobody.text.contains("No device is called 'laptop'"))

        let revoke = try Self.run(desktop, "host", "devices", "revoke", "Ann's laptop")
        #expect(revoke.waitUntilExit() == 0)
        let revokedAt = ContinuousClock.now
        try desktop.share.line(with: "no longer watches: is no longer paired")
        try viewer.line(with: "Pair again with 'heliograph pair \(host)'")
        #expect(ContinuousClock.now - revokedAt < .seconds(4))
        // The viewer's window shows the error until it is closed.
        viewer.kill(SIGTERM)
        #expect(viewer.waitUntilExit() != 0)
        let again = try desktop.startViewer([host])
        #expect(again.waitUntilExit() != 0)
        #expect(again.text.contains("does not know this device"))
        try desktop.share.line(with: "came by a pairing that this machine does not know")
    }

    @Test("a device that may only watch from now on lets go of what it holds, and drives again when it may")
    func permissions() throws {
        let (desktop, host) = try Self.pairedDesktop(PixelSize(width: 800, height: 600))
        let client = try desktop.source.startClient(PixelSize(width: 800, height: 600), events: ["button"])
        try desktop.watch(host: host)
        try desktop.destination.run("xdotool", "mousemove", "400", "300", "mousedown", "1")
        try client.line(with: "ButtonPress")
        let viewer = try #require(desktop.view)

        let take = try Self.run(desktop, "host", "devices", "allow", "laptop", "watch")
        #expect(take.waitUntilExit() == 0)
        try client.line(with: "ButtonRelease")
        try viewer.line(with: "watch only from now on")
        try desktop.destination.run("xdotool", "mouseup", "1", "mousemove", "100", "100", "click", "1")

        let give = try Self.run(desktop, "host", "devices", "allow", "laptop", "control")
        #expect(give.waitUntilExit() == 0)
        try viewer.line(with: "control it from now on")
        try desktop.destination.run("xdotool", "mousemove", "200", "200", "click", "1")
        try client.line(with: "ButtonPress")
        #expect(try client.line().contains("root:(200,200)"), "nothing of what came in between was done")
    }

    @Test("a host with another key is refused before anything is said to it")
    func anotherKey() throws {
        let (desktop, host) = try Self.pairedDesktop()
        // Another host answers at an address that this viewer knows.
        let stranger = try SharedDesktop(Self.small)
        let hosts = desktop.folder.path + "/viewer/hosts.json"
        let port = try #require(host.split(separator: ":").last)
        let otherPort = try #require(Self.address(stranger).split(separator: ":").last)
        let text = try String(contentsOfFile: hosts, encoding: .utf8)
        try text.replacing("\"port\" : \(port)", with: "\"port\" : \(otherPort)").write(
            toFile: hosts, atomically: false, encoding: .utf8)
        let viewer = try desktop.startViewer([try Self.address(stranger)])
        #expect(viewer.waitUntilExit() != 0)
        #expect(viewer.text.contains("not the one that this device was paired with"))
    }

    @Test("a damaged list of devices lets nobody in, and says so")
    func damagedStore() throws {
        let (desktop, host) = try Self.pairedDesktop()
        let viewer = try desktop.startViewer([host, "--fullscreen"])
        try viewer.line(with: "Watching")
        let devices = desktop.folder.path + "/host/devices.json"
        // The host updates the file, since the device has connected.
        let isNoted = Patience().wait {
            (try? String(contentsOfFile: devices, encoding: .utf8).contains("lastVisit")) ?? false
        }
        #expect(isNoted)
        try "{\"version\":1,\"entries\":[{}]}".write(toFile: devices, atomically: false, encoding: .utf8)
        try desktop.share.line(with: "devices.json is damaged")
        try desktop.share.line(with: "no longer watches")
        let again = try desktop.startViewer([host])
        #expect(again.waitUntilExit() != 0)
        let list = try Self.run(desktop, "host", "devices")
        #expect(list.waitUntilExit() != 0)
        #expect(list.text.contains("is damaged"))
        // The link is still valid.
        try desktop.watch()
    }
}
