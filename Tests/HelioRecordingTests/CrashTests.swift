import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Recording processes that are killed or whose disk is full.
@Suite(.tags(.quiet)) struct CrashTests {
    private static var writer: String { RunningProgram.built("RecordingWriter") }

    /// Writes pictures to a file for the program to record.
    private static func list(_ units: [CodedMedia.Unit], in folder: TestFolder) throws -> String {
        var bytes: [UInt8] = []
        for unit in units {
            bytes.append(unit.isKeyframe ? 1 : 0)
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: unit.bytes.count >> shift)) }
            bytes += unit.bytes
        }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("list")))
        return folder.file("list")
    }

    @Test("After kill -9 all but the last two seconds plays, picture by picture", arguments: ["mp4", "mkv"])
    func killed(ending: String) throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 300, in: folder)
        let file = folder.file("take.\(ending)")
        let program = try RunningProgram(
            Self.writer, [file, try Self.list(coded.units, in: folder)], environment: [:])
        try program.line(with: "picture 130")
        program.kill(SIGKILL)
        _ = program.waitUntilExit()
        let hashes = try CodedMedia.hashes(of: file)
        #expect(hashes.count >= 131 - 60)
        #expect(hashes == Array(coded.hashes[..<min(hashes.count, coded.hashes.count)]))
        let sound = try CodedMedia.packets(of: file, track: "a:0")
        #expect((sound.last?.time ?? 0) > Double(131 - 60) / 30)
        #expect(try CodedMedia.complaints(about: file) == "")
    }

    @Test("A full disk ends the recording and nothing else, and what is there plays", arguments: ["mp4", "mkv"])
    func fullDisk(ending: String) throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 120, in: folder)
        let list = try Self.list(coded.units, in: folder)
        // Half of the required size.
        let size = coded.units.reduce(0) { $0 + $1.bytes.count } / 2 / 4096 * 4096
        let copy = folder.file("copy.\(ending)")
        let disk = folder.file("disk")
        let text = String(
            decoding: try Tool.run([
                "unshare", "--user", "--map-root-user", "--mount", "bash", "-ec",
                """
                mkdir "$1"
                mount -t tmpfs -o size="$2" disk "$1"
                "$3" "$1/take.\(ending)" "$4"
                cp "$1/take.\(ending)" "$5"
                """, "-", disk, "\(size)", Self.writer, list, copy,
            ]), as: UTF8.self)
        #expect(text.contains("failed: The recording has ended, as the disk is full"))
        #expect(text.contains("ended: failed"))
        #expect(text.contains("picture 119"))
        let hashes = try CodedMedia.hashes(of: copy)
        // The pictures that fit on half the disk, without the last two seconds.
        #expect(hashes.count > 15)
        #expect(hashes == Array(coded.hashes[..<hashes.count]))
        #expect(try CodedMedia.complaints(about: copy) == "")
    }

    @Test("A file that has its most bytes is an error, and no signal that ends the program", arguments: ["mp4", "mkv"])
    func limitedFile(ending: String) throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 90, in: folder)
        let list = try Self.list(coded.units, in: folder)
        let file = folder.file("take.\(ending)")
        let size = coded.units.reduce(0) { $0 + $1.bytes.count } / 2 / 1024
        let text = String(
            decoding: try Tool.run([
                "bash", "-ec", "ulimit -f \"$1\"; exec \"$2\" \"$3\" \"$4\"", "-", "\(size)", Self.writer, file, list,
            ]), as: UTF8.self)
        #expect(text.contains("failed: The recording has ended, as the file has the most bytes that it may have"))
        #expect(text.contains("picture 89"))
        let hashes = try CodedMedia.hashes(of: file)
        #expect(hashes.count > 10)
        #expect(hashes == Array(coded.hashes[..<hashes.count]))
    }
}
