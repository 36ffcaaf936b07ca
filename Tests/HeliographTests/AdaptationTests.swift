import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// The real programs on a path with less bandwidth than the format needs.
@Suite("Adaptation to the path (rows 6 and 18)", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct AdaptationTests {
    private static let screen = PixelSize(width: 1280, height: 720)

    @Test("a video becomes smaller, which both ends tell; a click lands on the screen's pixel all the same")
    func smaller() throws {
        let desktop = try SharedDesktop(Self.screen, share: ["--bitrate", "300k"] + SharedDesktop.statistics)
        desktop.source.fill(SharingTests.patchwork(Self.screen))
        try desktop.watch()
        let client = try desktop.source.startClient(PixelSize(width: 1280, height: 720), events: ["button"])
        let video = try desktop.source.start(
            "ffplay",
            ["-v", "quiet", "-an", "-fs", "-f", "lavfi", "testsrc2=s=640x360:r=25,noise=alls=60:allf=t"])
        try desktop.share.line("a step to a smaller picture") { $0.contains(/Sending (960x540|640x360) at/) }
        try desktop.share.line("its cause in the statistics") {
            $0.contains("\"shortage\":") && $0.contains("as the network carries 0.3 Mbit")
        }
        try #require(desktop.view).line("statistics of a smaller picture") {
            $0.contains("\"width\":") && !$0.contains("\"width\":1280")
        }
        video.kill()
        for (x, y) in [(100, 50), (2, 2), (1277, 717), (641, 359)] {
            try desktop.destination.run("xdotool", "mousemove", "\(x)", "\(y)", "click", "1")
            try client.line(with: "ButtonPress")
            let line = try client.line()
            let place = try #require(line.firstMatch(of: /root:\(([0-9]+),([0-9]+)\)/)).output
            #expect(abs(try #require(Int(place.1)) - x) <= 2, "\(line) for \(x)")
            #expect(abs(try #require(Int(place.2)) - y) <= 2, "\(line) for \(y)")
        }
    }

    @Test("what --adapt does not know is said, with what it knows", arguments: ["", "on", "bitrate", "Auto"])
    func refusals(word: String) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let desktop = try Desktop(PixelSize(width: 64, height: 64))
        let share = try desktop.start(
            SharedDesktop.heliograph, ["share", "--adapt", word], environment: ["HELIOGRAPH_HOME": home.path])
        #expect(share.waitUntilExit() != 0)
        #expect(share.text.contains("--adapt \(word): give auto, rate or off."), "\(share.text)")
    }

    @Test("the option's words are those of the library")
    func words() {
        #expect(MirrorSource.Options().adaptation == .automatic)
        #expect(MirrorSource.Adaptation.allCases.map(\.rawValue) == ["auto", "rate", "off"])
    }
}
