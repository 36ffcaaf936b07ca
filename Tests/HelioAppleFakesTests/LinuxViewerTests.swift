#if canImport(HelioLinuxSink)
import Foundation
import HelioAppleFakes
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// `heliograph view` on an X server of its own, showing an Apple source.
@Suite("The Linux viewer's screen before Apple's adapters", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct LinuxViewerTests {
    @Test("it shows every pixel where it belongs, and in its colour", arguments: FidelityTests.sizes)
    func screen(size: PixelSize) async throws {
        let panel = FakePanel(size)
        let desktop = try Desktop(size)
        let manager = try desktop.startWindowManager()
        defer { manager.kill() }
        let home = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        try await Session.withSource(FakeAppleSource(panel), .avc) { source in
            let viewer = try desktop.start(
                RunningProgram.built("heliograph"),
                ["view", "--fullscreen", try await source.link.text],
                environment: ["PULSE_SERVER": "unix:/nonexistent", "HELIOGRAPH_HOME": home.path])
            defer { viewer.kill() }
            try viewer.line(with: "Watching")
            for number in [3, 40_000] {
                panel.show(number)
                let known = panel.pictures.bgra(panel.picture).screenshot
                var (likeness, shot) = (0.0, known)
                _ = try desktop.wait(Patience(.seconds(20))) {
                    shot = try desktop.screenshot(size)
                    likeness = known.psnr(shot)
                    return likeness >= 40
                }
                // Compares all three channels: chroma has half the resolution.
                #expect(likeness >= 40, "\(likeness)")
                for patch in panel.picture.patches {
                    #expect(patch.color.difference(from: shot.color(in: patch.rect.middle)) <= 3, "\(patch)")
                }
            }
        }
    }
}
#endif
