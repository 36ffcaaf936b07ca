import Foundation
import HelioTransfer
import HelioTransferWire
import Testing

@testable import HelioFileFolder

struct SourceListingTests {
    private static let batch = BatchID(1)

    @Test("A file and a folder are listed, what is hidden and what is empty too, outermost first")
    func listing() {
        let folder = TemporaryFolder()
        folder.write("d/b", [1, 2])
        folder.write("d/.hidden", [1])
        folder.write("d/a/x", [])
        try? FileManager.default.createDirectory(atPath: folder.path("d/empty"), withIntermediateDirectories: true)
        let file = folder.write("single", [1, 2, 3])
        let listing = SourceListing([folder.path("d/"), file], limit: 100)
        #expect(
            listing.entries.map { $0.path.joined(separator: "/") }
                == ["d", "d/.hidden", "d/a", "d/a/x", "d/b", "d/empty", "single"])
        #expect(listing.entries.map(\.isFolder) == [true, false, true, false, false, true, false])
        #expect(listing.entries.map(\.size) == [0, 1, 0, 0, 2, 0, 3] && listing.left.isEmpty)
        let now = UInt64(Date().timeIntervalSince1970)
        #expect(listing.entries.allSatisfy { $0.isFolder || (now - 60...now + 1).contains($0.modified) })
    }

    @Test("Links, pipes and devices within a folder are left out, and said to be")
    func special() throws {
        let folder = TemporaryFolder()
        folder.write("secret", [1])
        folder.write("d/a", [1])
        try FileManager.default.createSymbolicLink(atPath: folder.path("d/link"), withDestinationPath: "../secret")
        try FileManager.default.createSymbolicLink(atPath: folder.path("d/loop"), withDestinationPath: ".")
        #expect(mkfifo(folder.path("d/pipe"), 0o600) == 0)
        let listing = SourceListing([folder.path("d"), "/dev/null", folder.path("gone")], limit: 100)
        #expect(listing.entries.map(\.path) == [["d"], ["d", "a"]])
        #expect(
            Set(listing.left.map(\.path))
                == [
                    folder.path("d/link"), folder.path("d/loop"), folder.path("d/pipe"), "/dev/null",
                    folder.path("gone"),
                ])
        #expect(listing.left.allSatisfy { $0.reason == .unreadable })
    }

    @Test("A chosen link is followed: it was chosen")
    func chosenLink() throws {
        let folder = TemporaryFolder()
        folder.write("real", [1, 2])
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real")
        #expect(SourceListing([folder.path("link")], limit: 10).entries.map(\.size) == [2])
    }

    @Test("Names that are no text, folders too deep and files too many are left out")
    func limits() {
        let folder = TemporaryFolder()
        for number in 0..<10 { folder.write("d/\(number)", []) }
        let few = SourceListing([folder.path("d")], limit: 5)
        #expect(few.entries.count == 5 && few.left.first?.reason == .tooMany)
        #if os(Linux)
        let bytes = Array(folder.path("d/").utf8) + [0x61, 0xFF, 0]
        let descriptor = bytes.withUnsafeBufferPointer {
            $0.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        }
        close(descriptor)
        let listing = SourceListing([folder.path("d")], limit: 100)
        #expect(listing.entries.count == 11 && listing.left.map(\.reason) == [.badName])
        #endif
        folder.write("deep/" + [String](repeating: "x", count: 40).joined(separator: "/"), [])
        let deep = SourceListing([folder.path("deep")], limit: 100)
        #expect(deep.entries.count == FileEntry.mostNames && deep.left.map(\.reason) == [.badName])
    }

    @Test("A file is read as it was listed, and one that was changed, exchanged or cut is said to be")
    func changes() throws {
        let folder = TemporaryFolder()
        let path = folder.write("d/a", [1, 2, 3, 4])
        let disk = FileDisk(nil, of: PartSender([1]))
        disk.take(SourceListing([folder.path("d")], limit: 10), as: Self.batch)
        let job = DiskJob(1)
        #expect(disk.perform(.openSource(job, Self.batch, index: 1)) == .opened(job, bytes: 4))
        #expect(disk.perform(.read(job, offset: 1, count: 2)) == .read(job, [2, 3]))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 3)
        #expect(disk.perform(.read(job, offset: 0, count: 4)) == .failed(job, .changed))
        #expect(disk.perform(.openSource(DiskJob(3), Self.batch, index: 1)) == .failed(DiskJob(3), .changed))
        try FileManager.default.removeItem(atPath: path)
        #expect(disk.perform(.openSource(DiskJob(5), Self.batch, index: 1)) == .failed(DiskJob(5), .unreadable))
        // A symbolic link in place of the file is not followed.
        folder.write("secret", [1, 2, 3, 4])
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../secret")
        #expect(disk.perform(.openSource(DiskJob(7), Self.batch, index: 1)) == .failed(DiskJob(7), .unreadable))
        #expect(disk.perform(.openSource(DiskJob(9), Self.batch, index: 0)) == .failed(DiskJob(9), .unreadable))
        #expect(disk.perform(.openSource(DiskJob(11), BatchID(7), index: 1)) == .failed(DiskJob(11), .unreadable))
    }

    @Test("What is on its way into a folder is not sent from there")
    func parts() {
        let folder = TemporaryFolder()
        folder.write("d/.heliograph-part-0123456789abcdef", [1])
        folder.write("d/a", [1])
        #expect(SourceListing([folder.path("d")], limit: 10).entries.count == 2)
    }
}
