import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// A running viewer, and a sink that joins without support for the current codec.
@Suite("Renegotiation on a real screen", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct RenegotiationTests {
    @Test("the codec changes for a sink that can't decode it, and back, and the viewer's session goes on (row 30)")
    func codec() async throws {
        let desktop = try SharedDesktop(PixelSize(width: 640, height: 480), share: ["--codec", "h265"])
        try desktop.watch()
        let view = try #require(desktop.view)
        try view.line(with: "\"codec\":\"h265\"")

        // The first link was used by the viewer; the file has the next one.
        var options = MirrorSink.Options()
        options.formats = [.avc]
        let sink = try MirrorSink(link: try desktop.link, options: options)
        sink.start()
        for await event in sink.events {
            guard case .received(_, let frame) = event, frame.isKeyframe else { continue }
            // The first NAL unit is an H.264 sequence parameter set.
            #expect(frame.annexB[4] & 0x1F == 7)
            break
        }
        try desktop.share.line(with: "does not decode H265")
        try view.line(with: "\"codec\":\"h264\"")
        #expect(try desktop.waitForLikeness(34) >= 34)

        await sink.stop()
        try view.line(with: "\"codec\":\"h265\"")
        #expect(!view.text.contains("Connection lost"))
        #expect(try desktop.waitForLikeness(30) >= 30)
    }
}
