import Foundation
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The example programs, run as by a developer.
@Suite("Examples", .timeLimit(.minutes(2)), .tags(.quiet))
struct ExampleTests {
    private func built(_ name: String) -> String {
        URL(fileURLWithPath: SharedDesktop.heliograph).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Splits a file into NAL units, with start codes of either length.
    private func units(_ path: String) throws -> [Data] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var units: [Data] = []
        var start: Int?
        var position = 0
        while position + 3 <= bytes.count {
            guard bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 else {
                position += 1
                continue
            }
            if let start {
                // A start code of four bytes begins with an additional zero.
                let end = bytes[position - 1] == 0 ? position - 1 : position
                units.append(bytes[start..<end])
            }
            position += 3
            start = position
        }
        if let start { units.append(bytes[start...]) }
        return units
    }

    @Test("a file sent by one is written by the other, picture for picture, and real FFmpeg decodes it")
    func sendAndWrite() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (original, copy) = (folder.path + "/original.h264", folder.path + "/copy.h264")
        let encoder = try RunningProgram(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480:rate=30:duration=3", "-c:v", "libx264",
                "-preset",
                "ultrafast", "-tune", "zerolatency", "-g", "10", "-bsf:v", "h264_metadata=aud=insert", original,
            ], environment: [:])
        #expect(encoder.waitUntilExit() == 0)

        let home = ["HELIOGRAPH_HOME": folder.path + "/home"]
        let sender = try RunningProgram(built("SendFile"), [original], environment: home)
        let link = try sender.line(with: "heliograph://")
        let writer = try RunningProgram(built("WriteFile"), [link, copy], environment: home)
        try writer.line(with: "video/avc, 640x480")
        #expect(sender.waitUntilExit() == 0)
        #expect(writer.waitUntilExit() == 0)

        let sent = try units(original)
        let written = try units(copy)
        // The first pictures may be sent before the sink is known to listen, and the last after the source has ended;
        // in between, no byte may be missing.
        #expect(written.count > sent.count / 2)
        let isThere = (0...max(0, sent.count - written.count)).contains { sent[$0...].starts(with: written) }
        #expect(isThere)
        let decoder = try RunningProgram(
            "ffprobe",
            [
                "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames",
                "-of",
                "csv=p=0", copy,
            ], environment: [:])
        let frames = try #require(Int(try decoder.line().filter(\.isNumber)))
        #expect(frames >= 45 && frames <= 90)
    }

    @Test("two ends find each other by a rendezvous server and say hello")
    func sayHello() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try RendezvousTests.Server(in: folder)
        let home = ["HELIOGRAPH_HOME": folder.path + "/home"]
        let host = try RunningProgram(built("SayHello"), [server.url], environment: home)
        let link = try host.line(with: server.url)
        let caller = try RunningProgram(built("SayHello"), ["call", link], environment: home)
        try host.line(with: "hello from laptop")
        try caller.line(with: "welcome from tower")
        #expect(caller.waitUntilExit() == 0)
        try host.line(with: "gone")
    }
}
