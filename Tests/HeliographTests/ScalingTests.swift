import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// A sink with a limit below the screen's size, and the real programs (row 30).
@Suite("Scaling to the smallest sink", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct ScalingTests {
    static let screen = PixelSize(width: 1280, height: 720)
    static let small = PixelSize(width: 640, height: 360)

    /// Starts a viewer whose screen has the scaled size, and shows pixels unscaled.
    private static func watched(share arguments: [String] = [], view: [String]) throws -> SharedDesktop {
        let desktop = try SharedDesktop(screen, destination: small, share: ["--chroma", "444"] + arguments)
        desktop.source.fill(SharingTests.patchwork(screen))
        try desktop.watch(view)
        return desktop
    }

    /// Waits until the viewer shows the scaled screen, which is still.
    private static func likeness(_ desktop: SharedDesktop, _ decibels: Double) throws -> Double {
        let wanted = try desktop.source.screenshot(screen).halved
        var best = 0.0
        _ = try desktop.destination.wait(Patience(.seconds(15))) {
            best = max(best, wanted.psnr(try desktop.destination.screenshot(small)))
            return best >= decibels
        }
        return best
    }

    @Test("the viewer sees the screen scaled down, follows small changes in it, and is told why")
    func picture() throws {
        let desktop = try Self.watched(view: ["--max-size", "640x480"])
        #expect(
            desktop.share.text.contains("Sending 640x360, not 1280x720, as a viewer takes at most 640x480"))
        try #require(desktop.view).line(with: "\"width\":640")
        let likeness = try Self.likeness(desktop, 40)
        #expect(likeness >= 40)
        // Odd positions and sizes: some pixels of the smaller picture cover changed and unchanged pixels.
        desktop.source.fill([
            (0xFF0000, PixelRect(x: 101, y: 51, width: 33, height: 7)),
            (0x00FF00, PixelRect(x: 1279, y: 719, width: 1, height: 1)),
            (0xFFFFFF, PixelRect(x: 640, y: 333, width: 3, height: 101)),
        ])
        let changed = try Self.likeness(desktop, 40)
        #expect(changed >= 40)
        let shot = try desktop.destination.screenshot(Self.small).color(x: 58, y: 27)
        #expect(shot.red > 200 && shot.green < 60 && shot.blue < 60)
    }

    @Test("the source's own limit does the same")
    func ownLimit() throws {
        let desktop = try Self.watched(share: ["--max-size", "640x360"], view: [])
        #expect(desktop.share.text.contains("Sharing this screen (640x360)"))
        let likeness = try Self.likeness(desktop, 40)
        #expect(likeness >= 40)
    }

    @Test("a click lands on the pixel of the screen that the smaller picture shows there")
    func click() throws {
        let desktop = try Self.watched(view: ["--max-size", "640x360"])
        let client = try desktop.source.startClient(PixelSize(width: 1280, height: 720), events: ["button"])
        for (x, y) in [(100, 50), (0, 0), (639, 359), (321, 179)] {
            try desktop.destination.run("xdotool", "mousemove", "\(x)", "\(y)", "click", "1")
            try client.line(with: "ButtonPress")
            let line = try client.line()
            let place = try #require(line.firstMatch(of: /root:\(([0-9]+),([0-9]+)\)/)).output
            // The middle of a scaled pixel maps to one of the two that it covers.
            #expect([2 * x, 2 * x + 1].contains(try #require(Int(place.1))), "\(line) for \(x)")
            #expect([2 * y, 2 * y + 1].contains(try #require(Int(place.2))), "\(line) for \(y)")
        }
    }

    @Test("a viewer without a limit shares the smaller picture, and gets the large one when the small sink leaves")
    func secondViewer() throws {
        let desktop = try SharedDesktop(Self.screen)
        desktop.source.fill(SharingTests.patchwork(Self.screen))
        try desktop.watch()
        let view = try #require(desktop.view)
        try view.line(with: "\"width\":1280")
        let limited = try desktop.source.start(
            SharedDesktop.heliograph,
            ["view"] + SharedDesktop.statistics
                + ["--max-size", "640x360", "--link-file", desktop.folder.path + "/link"],
            environment: ["DISPLAY": desktop.destination.display, "HELIOGRAPH_HOME": desktop.folder.path + "/other"])
        try limited.line(with: "\"width\":640")
        try view.line(with: "\"width\":640")
        limited.kill(SIGTERM)
        try desktop.share.line(with: "again: no viewer limits it")
        try view.line(with: "\"width\":1280")
        #expect(!view.text.contains("Connection lost"))
        #expect(try desktop.waitForLikeness(34) >= 34)
    }
}

extension ScalingTests {
    @Test("a screen that is turned stays within the limit, and places on it are right")
    func turned() throws {
        let desktop = try SharedDesktop(PixelSize(width: 1280, height: 1280), destination: Self.small)
        try desktop.watch(["--max-size", "640x480"])
        let view = try #require(desktop.view)
        try view.line(with: "\"height\":480,")
        try desktop.source.run(
            "xrandr", "--newmode", "turned", "38", "720", "740", "760", "780", "1280", "1287", "1292", "1297")
        try desktop.source.run("xrandr", "--addmode", "screen", "turned")
        try desktop.source.run("xrandr", "--output", "screen", "--mode", "turned")
        try desktop.share.line(with: "display is 720x1280")
        try view.line(with: "\"width\":270}")
        let client = try desktop.source.startClient(PixelSize(width: 720, height: 1280), events: ["button"])
        try desktop.destination.run("xdotool", "mousemove", "320", "180", "click", "1")
        try client.line(with: "ButtonPress")
        let line = try client.line()
        let place = try #require(line.firstMatch(of: /root:\(([0-9]+),([0-9]+)\)/)).output
        // A pixel of the window covers 3.6 of the screen.
        let (x, y) = (try #require(Int(place.1)), try #require(Int(place.2)))
        #expect(abs(x - 360) <= 4 && abs(y - 640) <= 4, "\(line)")
    }

    @Test("an app's decoder hears that the stream has become smaller, and large again (row 23)")
    func decoder() async throws {
        let desktop = try SharedDesktop(Self.screen)
        let decoder = SizeDecoder()
        let sink = try MirrorSink(link: try desktop.link, video: decoder)
        sink.start()
        var sizes = decoder.sizes.makeAsyncIterator()
        #expect(await sizes.next() == "1280x720")
        try desktop.share.line(with: "is watching")
        var options = MirrorSink.Options()
        options.largest = PixelSize(width: 640, height: 400)
        let limited = try MirrorSink(link: try desktop.link, options: options)
        limited.start()
        #expect(await sizes.next() == "640x360")
        await limited.stop()
        #expect(await sizes.next() == "1280x720")
        await sink.stop()
    }

    /// Records the sizes passed to a decoder.
    struct SizeDecoder: VideoSinkPlugin {
        let sizes: AsyncStream<String>
        private let told: AsyncStream<String>.Continuation

        init() { (sizes, told) = AsyncStream.makeStream(of: String.self) }

        func initialize(_ attributes: MediaAttributes) { attributesChanged(attributes) }
        func attributesChanged(_ attributes: MediaAttributes) { told.yield("\(attributes.width)x\(attributes.height)") }
        func receive(_ frame: EncodedFrame) -> Bool { true }
    }
}

extension SDKTests {
    @Test("an app's encoder is told the agreed size, and its own wish again when the small sink has left (row 30)")
    func smallerSize() async throws {
        let encoder = SizeDiary()
        try await withSource(encoder) { source in
            var options = MirrorSink.Options()
            options.largest = PixelSize(width: 320, height: 320)
            let sink = try MirrorSink(link: try await source.link.text, options: options)
            sink.start()
            var sizes = encoder.sizes.makeAsyncIterator()
            #expect(await sizes.next() == "320x240")
            // The source applies the negotiated size; this causes no further change.
            var smaller = Self.video
            (smaller.width, smaller.height) = (320, 240)
            try source.changeAttributes(smaller)
            await sink.stop()
            #expect(await sizes.next() == "640x480")
        }
    }

    /// Records the sizes passed to an encoder.
    struct SizeDiary: VideoSourcePlugin {
        let sizes: AsyncStream<String>
        private let told: AsyncStream<String>.Continuation

        init() { (sizes, told) = AsyncStream.makeStream(of: String.self) }

        func attributesChanged(_ attributes: MediaAttributes) { told.yield("\(attributes.width)x\(attributes.height)") }
        func keyframeNeeded(reason: String) {}
        func bitrateSuggested(_ bitsPerSecond: Int) {}
    }
}

extension Screenshot {
    /// The screenshot at half the size; each pixel is the mean of four.
    fileprivate var halved: Screenshot {
        let smaller = PixelSize(width: size.width / 2, height: size.height / 2)
        var pixels = [UInt8](repeating: 0, count: smaller.area * 4)
        let row = size.width * 4
        bgrx.withUnsafeBufferPointer { from in
            for y in 0..<smaller.height {
                for x in 0..<smaller.width {
                    for channel in 0..<4 {
                        let at = 2 * y * row + 8 * x + channel
                        let sum = Int(from[at]) + Int(from[at + 4]) + Int(from[at + row]) + Int(from[at + row + 4])
                        pixels[(y * smaller.width + x) * 4 + channel] = UInt8((sum + 2) / 4)
                    }
                }
            }
        }
        return Screenshot(size: smaller, bgrx: pixels)
    }
}
