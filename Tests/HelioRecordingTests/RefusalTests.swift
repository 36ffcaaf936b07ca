import Foundation
import HelioCore
import HelioTestLanes
import Testing

@testable import HelioRecording

/// Files that can't be created, and files that are removed during a recording.
@Suite(.tags(.quiet)) struct RefusalTests {
    @Test("A name that is taken is refused, and its file stays; unless it is to be replaced")
    func taken() throws {
        let folder = try TestFolder()
        let file = folder.file("take.mp4")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: HelioError.self) { try RecordedTake(file) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("is there already") == true)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
        _ = try RecordedTake(file, overwrites: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
    }

    @Test("Names that no recording has", arguments: ["take", "take.avi", "mp4", ".mkv.txt"])
    func name(_ name: String) throws {
        let folder = try TestFolder()
        let error = #expect(throws: HelioError.self) { try RecordedTake(folder.file(name)) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(".mp4") == true)
        #expect(folder.names == [])
    }

    @Test(
        "Endings in either case",
        arguments: [("a.MP4", RecordingContainer.mp4), ("b.b/c.Mkv", .matroska), ("d.m4v", .mp4)])
    func ending(path: String, container: RecordingContainer) {
        #expect(RecordingContainer(ofFileNamed: path) == container)
    }

    @Test("A folder that is not there")
    func folder() throws {
        let folder = try TestFolder()
        let error = #expect(throws: HelioError.self) { try RecordedTake(folder.file("none/take.mp4")) }
        #expect(error?.code == .systemFailed)
        #expect(error?.message.contains("there is no folder") == true)
    }

    @Test("No plain file is written to, whether it is to be replaced or not")
    func device() throws {
        let folder = try TestFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("take.mp4"), withDestinationPath: "/dev/full")
        #expect(throws: HelioError.self) { try RecordedTake(folder.file("take.mp4")) }
        #expect(throws: HelioError.self) { try RecordedTake(folder.file("take.mp4"), overwrites: true) }
        #expect(mkfifo(folder.file("pipe.mp4"), 0o600) == 0)
        #expect(throws: HelioError.self) { try RecordedTake(folder.file("pipe.mp4"), overwrites: true) }
    }

    @Test("A file that somebody removes ends the recording, which says so")
    func removed() throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 60, in: folder)
        let take = try RecordedTake(folder.file("take.mp4"))
        take.take(Array(coded.units[..<30]))
        try FileManager.default.removeItem(atPath: folder.path)
        take.take(Array(coded.units[30...]))
        #expect(take.recording.state == .failed)
        #expect(take.failure?.contains("somebody has removed") == true)
        take.finish()
        #expect(take.recording.state == .failed)
    }
}
