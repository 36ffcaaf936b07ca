import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioUnattended
import Testing

// In order: a program that one test writes is busy while another test starts one.
@Suite("A virtual monitor is made", .serialized, .tags(.quiet))
final class MonitorSetupTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
    private static let size = PixelSize(width: 800, height: 600)

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("sway without an output gets one of the size, and one with an output keeps that alone")
    func sway() throws {
        let desktop = try SwayDesktop(outputs: 0)
        let environment = ProcessInfo.processInfo.environment.merging(["SWAYSOCK": desktop.control]) { $1 }
        let place = DesktopPlace(title: "sway", environment: ["WAYLAND_DISPLAY": "w", "SWAYSOCK": desktop.control])
        let setup = MonitorSetup(environment: environment)
        #expect(try setup.prepare(Self.size, at: place)?.contains("800x600") == true)
        let data = try Tool.run(["swaymsg", "-t", "get_outputs", "-r"], environment: environment)
        struct Output: Decodable {
            struct Mode: Decodable { var width, height: Int }
            enum CodingKeys: String, CodingKey {
                case active
                case mode = "current_mode"
            }
            var active: Bool
            var mode: Mode?
        }
        let modes = try JSONDecoder().decode([Output].self, from: data).filter(\.active).map(\.mode)
        #expect(modes.map { $0?.width } == [800] && modes.map { $0?.height } == [600])
        #expect(try setup.prepare(Self.size, at: place) == nil)
    }

    @Test("an X server's outputs are asked for, and the commands run in order; one that fails is told")
    func x11() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func plant(_ body: String) throws -> MonitorSetup {
            try "#!/bin/sh\necho \"$@\" >>'\(folder)/asked'\n\(body)\n".write(
                toFile: folder + "/xrandr", atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/xrandr")
            return MonitorSetup(environment: ["PATH": folder + ":/usr/bin:/bin"])
        }
        let place = DesktopPlace(title: "x", environment: ["DISPLAY": ":9"])
        let setup = try plant("[ $1 != --query ] || echo 'VGA-1 disconnected (normal)'")
        #expect(try setup.prepare(Self.size, at: place)?.contains("800x600") == true)
        let asked = try String(contentsOfFile: folder + "/asked", encoding: .utf8).split(separator: "\n")
        #expect(asked.count == 4 && asked[0] == "--query" && asked[1].hasPrefix("--newmode heliograph-800x600 "))
        #expect(asked[2] == "--addmode VGA-1 heliograph-800x600")
        #expect(asked[3] == "--output VGA-1 --mode heliograph-800x600")
        let failing = try plant("[ $1 = --query ] && echo 'VGA-1 disconnected (normal)' || exit 1")
        let error = #expect(throws: HelioError.self) { try failing.prepare(Self.size, at: place) }
        #expect(error?.message == "'xrandr --newmode' has failed.")
    }

    @Test("a real X server that has a screen is left alone")
    func xvfb() throws {
        let desktop = try Desktop(Self.size)
        let environment = ProcessInfo.processInfo.environment.merging(["DISPLAY": desktop.display]) { $1 }
        let place = DesktopPlace(title: "x", environment: ["DISPLAY": desktop.display])
        #expect(try MonitorSetup(environment: environment).prepare(Self.size, at: place) == nil)
    }
}
