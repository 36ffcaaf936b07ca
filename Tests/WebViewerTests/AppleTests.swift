#if canImport(HelioLinuxSource)
import Foundation
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import Heliograph

/// A page that shows an Apple source: the real adapters over a real codec.
@Suite("In a browser: Apple's adapters", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct AppleTests {
    private static let full = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)

    @Test(
        "known pictures are shown at 480p, 720p and 1080p, each pixel where it belongs, and in its colour",
        arguments: [
            (PixelSize(width: 854, height: 480), nil), (PixelSize(width: 1280, height: 720), nil),
            (PixelSize(width: 1920, height: 1080), nil), (PixelSize(width: 854, height: 480), .bt601),
            (PixelSize(width: 854, height: 480), full),
        ] as [(PixelSize, ColorDescription?)])
    func fidelity(size: PixelSize, color: ColorDescription?) async throws {
        let panel = FakePanel(size, color: color)
        try await withSource(panel) { source in
            let viewer = WebViewer(try Browser().page(), of: size)
            try viewer.page.open(try #require(try await source.link.web))
            try viewer.waitForPicture()
            // Numbers whose bars overlap neither each other nor that of the first picture.
            for number in [50, 150] {
                panel.show(number)
                let bar = try #require(panel.picture.moving.last)
                let (x, y) = (bar.rect.x + bar.rect.width / 2, bar.rect.y + bar.rect.height / 2)
                try viewer.waitForColor(0xE08020, x: x, y: y)
                let known = panel.pictures.bgra(panel.picture).screenshot
                let shot = try viewer.page.picture("#picture")
                try #require(shot.size == size)
                // Compares all three channels: chroma has half the resolution.
                #expect(known.psnr(shot) >= 34)
                for patch in panel.picture.patches {
                    let seen = shot.color(in: patch.rect.middle) * 255
                    let known = SIMD3(
                        Double(patch.color.red), Double(patch.color.green), Double(patch.color.blue))
                    let off = seen - known
                    // Chromium's conversion of limited-range BT.709 uses 2 instead of 2.11 for blue's share of Cb (an
                    // error of up to 12 of 255).
                    let isCut = (color ?? .bt709) == .bt709
                    #expect(max(abs(off.x), abs(off.y)) <= 6 && abs(off.z) <= (isCut ? 14 : 6), "\(patch): \(off)")
                }
                #expect(panel.picture.patches.contains { Self.error(of: $0.color, color ?? .bt709) > 20 })
            }
            #expect(try viewer.page.problems() == [])
        }
    }

    @Test("a device that is turned, and a session that the background ended, cost no more than a picture")
    func turned() async throws {
        let panel = FakePanel(PixelSize(width: 480, height: 854))
        let platform = FakeAppleSource(panel)
        try await withSource(panel, platform) { source in
            let viewer = WebViewer(try Browser().page(), of: panel.size)
            try viewer.page.open(try #require(try await source.link.web))
            try viewer.waitForPicture()
            for turn in [PictureRotation.quarter, .half, .threeQuarters, .none] {
                panel.turn(turn)
                platform.sessions.fates = [.invalid]
                panel.show(panel.number + 50)
                let size = panel.size
                let video = "document.querySelector('#picture')"
                try viewer.page.until("\(video).videoWidth === \(size.width)")
                let bar = try #require(panel.picture.moving.last).rect
                try viewer.waitForColor(0xE08020, x: bar.x + bar.width / 2, y: bar.y + bar.height / 2)
                let known = panel.pictures.bgra(panel.picture).screenshot
                let shot = try viewer.page.picture("#picture")
                try #require(shot.size == size)
                #expect(known.psnr(shot) >= 34, "\(turn)")
            }
        }
    }

    /// The error in red and green of a viewer that confuses the matrices.
    private static func error(of color: KnownColor, _ description: ColorDescription) -> Double {
        var other = description
        other.matrix = description.matrix == 1 ? 6 : 1
        let (luma, cb, cr) = color.samples(description)
        let picture = PictureDescription(
            size: PixelSize(width: 854, height: 480), chroma: .yuv420, color: other)
        let seen = ColorConversion(picture).rgb(of: SIMD3(Float(luma), Float(cb), Float(cr)) / 255) * 255
        return Double(max(abs(seen.x - Float(color.red)), abs(seen.y - Float(color.green))))
    }

    private func withSource(
        _ panel: FakePanel, _ platform: FakeAppleSource? = nil, _ body: (MirrorSource) async throws -> Void
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.path
        options.bitrate = 200_000_000
        options.adaptation = .off
        var web = WebOptions()
        web.port = 0
        options.web = web
        let source = try await MirrorSource.start(options, on: platform ?? FakeAppleSource(panel))
        do {
            try await body(source)
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }
}
#endif
