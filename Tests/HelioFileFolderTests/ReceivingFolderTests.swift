import Foundation
import HelioTransfer
import HelioTransferWire
import Testing

@testable import HelioFileFolder

struct ReceivingFolderTests {
    private static let batch = BatchID(1)
    private static let sender = PartSender([1])

    /// A folder, its disk, and the current job.
    private final class Place {
        let temporary = TemporaryFolder()
        let folder: ReceivingFolder
        let disk: FileDisk
        private var lastJob: UInt64 = 0

        init() throws {
            folder = try ReceivingFolder(temporary.path("in"))
            disk = FileDisk(self.folder, of: ReceivingFolderTests.sender)
        }

        var names: [String] { temporary.names.filter { $0 != "in" }.map { String($0.dropFirst(3)) } }

        func create(_ path: String, size: Int, batch: BatchID = batch) -> (DiskJob, FileDiskReply?) {
            lastJob += 2
            let job = DiskJob(lastJob)
            let names = path.split(separator: "/").map { SafeName(cleaning: String($0)) }
            return (job, disk.perform(.create(job, batch, names, size: UInt64(size), modified: 1_000_000_000)))
        }

        @discardableResult
        func receive(_ path: String, _ bytes: [UInt8], batch: BatchID = batch) -> FileDiskReply? {
            let (job, _) = create(path, size: bytes.count, batch: batch)
            if !bytes.isEmpty { _ = disk.perform(.write(job, offset: 0, bytes)) }
            return disk.perform(.finish(job))
        }
    }

    @Test("A file lies there whole, readable and not to be run, and nothing is left beside it")
    func whole() throws {
        let place = try Place()
        let (job, reply) = place.create("a.sh", size: 5)
        #expect(reply == .opened(job, bytes: 0))
        let part = try #require(place.names.first)
        #expect(part.hasPrefix(".heliograph-part-") && place.temporary.mode("in/" + part) == 0o600)
        #expect(place.disk.perform(.write(job, offset: 0, Array("#!/".utf8))) == .wrote(job, count: 3))
        #expect(place.disk.perform(.write(job, offset: 3, Array("sh".utf8))) == .wrote(job, count: 2))
        #expect(place.disk.perform(.finish(job)) == .finished(job, name: "a.sh"))
        #expect(place.names == ["a.sh"] && place.temporary.read("in/a.sh") == Array("#!/sh".utf8))
        let mode = try #require(place.temporary.mode("in/a.sh"))
        #expect(mode & 0o133 == 0 && mode & 0o600 == 0o600)
        let attributes = try FileManager.default.attributesOfItem(atPath: place.temporary.path("in/a.sh"))
        #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_000_000_000)
    }

    @Test("What is there is never overwritten, neither a file nor a folder nor what a link leads to")
    func taken() throws {
        let place = try Place()
        for number in 0..<3 as Range<UInt8> { place.receive("a.txt", [number]) }
        #expect(place.names == ["a (2).txt", "a (3).txt", "a.txt"])
        #expect(place.temporary.read("in/a.txt") == [0] && place.temporary.read("in/a (3).txt") == [2])
        place.temporary.write("outside", [9])
        try FileManager.default.createSymbolicLink(
            atPath: place.temporary.path("in/link"), withDestinationPath: "../outside")
        try FileManager.default.createSymbolicLink(
            atPath: place.temporary.path("in/nowhere"), withDestinationPath: "../made")
        place.receive("link", [1])
        place.receive("nowhere", [1])
        #expect(place.temporary.read("outside") == [9] && place.temporary.read("made") == nil)
        #expect(place.temporary.read("in/link (2)") == [1] && place.temporary.read("in/nowhere (2)") == [1])
    }

    @Test("A folder comes into a new one, and each batch into its own")
    func folders() throws {
        let place = try Place()
        place.receive("d/a", [1])
        place.receive("d/sub/b", [2])
        #expect(place.receive("d/a", [3], batch: BatchID(2)) == .finished(DiskJob(6), name: "d (2)/a"))
        let job = DiskJob(100)
        #expect(
            place.disk.perform(.makeFolder(job, Self.batch, [SafeName(cleaning: "d"), SafeName(cleaning: "empty")]))
                == .finished(job, name: "d/empty"))
        #expect(place.names == ["d", "d (2)", "d (2)/a", "d/a", "d/empty", "d/sub", "d/sub/b"])
        // The folder's name in a batch is chosen again after the batch is over.
        _ = place.disk.perform(.forget(Self.batch))
        #expect(place.receive("d/a", [4]) == .finished(DiskJob(8), name: "d (3)/a"))
    }

    @Test("A link in the place of a folder leads nowhere")
    func links() throws {
        let place = try Place()
        place.receive("d/a", [1])
        try FileManager.default.createDirectory(
            atPath: place.temporary.path("outside"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: place.temporary.path("in/d/sub"), withDestinationPath: "../../outside")
        let (job, _) = place.create("d/sub/b", size: 0)
        #expect(place.disk.perform(.finish(job)) == .failed(job, .badName))
        _ = place.disk.perform(.discard(job))
        #expect(!place.temporary.names.contains("outside/b") && place.names.allSatisfy { !$0.hasPrefix(".") })
    }

    @Test(
        "Hostile names stay within the folder",
        arguments: ["..", "/etc/passwd", "a/../../b", "-rf", ".profile", "x\\..\\y"])
    func hostileNames(path: String) throws {
        let place = try Place()
        guard case .finished(_, let name) = place.receive(path, [1]) else {
            Issue.record("not received")
            return
        }
        #expect(place.temporary.read("in/" + name) == [1])
        #expect(place.temporary.names.allSatisfy { $0 == "in" || $0.hasPrefix("in/") })
        #expect(name.split(separator: "/").allSatisfy { $0.first != "." && $0.first != "-" })
    }

    @Test("A file that fails leaves nothing, one whose sender is gone leaves its part for later")
    func leftovers() throws {
        let place = try Place()
        let (first, _) = place.create("a", size: 10)
        _ = place.disk.perform(.write(first, offset: 0, [1, 2, 3]))
        _ = place.disk.perform(.discard(first))
        #expect(place.names.isEmpty)
        let (second, _) = place.create("a", size: 10)
        _ = place.disk.perform(.write(second, offset: 0, [1, 2, 3]))
        _ = place.disk.perform(.keep(second))
        #expect(place.names.count == 1)
        let (third, reply) = place.create("a", size: 10)
        #expect(reply == .opened(third, bytes: 3))
        #expect(place.disk.perform(.read(third, offset: 0, count: 10)) == .read(third, [1, 2, 3]))
        // Another file of the same name doesn't continue this partial file.
        let (other, otherReply) = place.create("a", size: 11)
        #expect(otherReply == .opened(other, bytes: 0) && place.names.count == 2)
    }

    @Test("Two who receive the same file at once do not write to one part")
    func sameFile() throws {
        let place = try Place()
        let (first, _) = place.create("a", size: 2)
        let other = FileDisk(place.folder, of: Self.sender)
        let job = DiskJob(2)
        let reply = other.perform(.create(job, BatchID(2), [SafeName(cleaning: "a")], size: 2, modified: 1_000_000_000))
        #expect(reply == .opened(job, bytes: 0))
        _ = place.disk.perform(.write(first, offset: 0, [1, 1]))
        _ = other.perform(.write(job, offset: 0, [2, 2]))
        _ = place.disk.perform(.finish(first))
        #expect(other.perform(.finish(job)) == .finished(job, name: "a (2)"))
        #expect(place.temporary.read("in/a") == [1, 1] && place.temporary.read("in/a (2)") == [2, 2])
    }

    @Test("What was cut goes on with its sender, and another finds nothing of it")
    func otherSender() throws {
        let place = try Place()
        let (first, _) = place.create("a", size: 10)
        _ = place.disk.perform(.write(first, offset: 0, [1, 2, 3]))
        _ = place.disk.perform(.keep(first))
        let other = FileDisk(place.folder, of: PartSender([2]))
        let job = DiskJob(100)
        let names = [SafeName(cleaning: "a")]
        #expect(
            other.perform(.create(job, Self.batch, names, size: 10, modified: 1_000_000_000)) == .opened(job, bytes: 0))
        // The partial files of other senders don't displace this one.
        for number in 0..<20 {
            let job = DiskJob(UInt64(200 + number))
            _ = other.perform(.create(job, Self.batch, [SafeName(cleaning: "b\(number)")], size: 10, modified: 0))
            _ = other.perform(.write(job, offset: 0, [1]))
            _ = other.perform(.keep(job))
        }
        let (again, reply) = place.create("a", size: 10)
        #expect(reply == .opened(again, bytes: 3))
    }

    @Test("What was promised to one is no room for another, and some is left for the system")
    func promises() throws {
        let place = try Place()
        func space(_ disk: FileDisk) throws -> UInt64 {
            guard case .space(_, let bytes)? = disk.perform(.measure(Self.batch)) else { return 0 }
            return try #require(bytes)
        }
        let other = FileDisk(place.folder, of: PartSender([2]))
        let before = try space(other)
        var system = statvfs()
        #expect(statvfs(place.temporary.path("in"), &system) == 0)
        let free = UInt64(system.f_bavail) * UInt64(system.f_frsize)
        let all = UInt64(system.f_blocks) * UInt64(system.f_frsize)
        let slack: UInt64 = 64 << 20
        #expect(before <= free - min(all / 20, 1 << 30) + slack)
        _ = place.disk.perform(.promise(Self.batch, before))
        #expect(try space(other) <= slack)
        _ = place.disk.perform(.promise(Self.batch, .max))
        #expect(try space(other) == 0)
        _ = place.disk.perform(.forget(Self.batch))
        #expect(try space(other) > before - min(before, slack))
    }

    @Test("A part that is a link, or has another name, is not written to")
    func plantedParts() throws {
        let place = try Place()
        place.temporary.write("outside", [9, 9, 9])
        let (job, _) = place.create("a", size: 10)
        let part = try #require(place.names.first)
        _ = place.disk.perform(.discard(job))
        for isSymbolic in [true, false] {
            let path = place.temporary.path("in/" + part)
            if isSymbolic {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../outside")
            } else {
                try FileManager.default.linkItem(atPath: place.temporary.path("outside"), toPath: path)
            }
            let (next, reply) = place.create("a", size: 10)
            #expect(reply == .opened(next, bytes: 0))
            _ = place.disk.perform(.write(next, offset: 0, [1]))
            #expect(place.temporary.read("outside") == [9, 9, 9])
            _ = place.disk.perform(.discard(next))
        }
    }

    @Test("Not more than sixteen parts are kept, and none for more than a week")
    func parts() throws {
        let place = try Place()
        for number in 0..<20 {
            let (job, _) = place.create("f\(number)", size: 10)
            _ = place.disk.perform(.write(job, offset: 0, [1]))
            _ = place.disk.perform(.keep(job))
        }
        #expect(place.names.count == 16)
        let old = try #require(place.names.first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -8 * 24 * 3600)],
            ofItemAtPath: place.temporary.path("in/" + old))
        _ = try ReceivingFolder(place.temporary.path("in"))
        #expect(place.names.count == 15 && !place.names.contains(old))
    }

    @Test(
        "A disk that is full says so, and so does a file that grows too large",
        arguments: [(ENOSPC, FileRefusal.noSpace), (EDQUOT, .noSpace), (EFBIG, .tooLarge), (EIO, .diskFailed)])
    func full(number: Int32, reason: FileRefusal) throws {
        let place = try Place()
        let (job, _) = place.create("a", size: 10)
        // A few bytes are written before the disk is full.
        place.folder.write = { descriptor, bytes, offset in
            if offset == 0 { return pwrite(descriptor, bytes.baseAddress, 2, off_t(offset)) }
            errno = number
            return -1
        }
        #expect(place.disk.perform(.write(job, offset: 0, [1, 2, 3])) == .failed(job, reason))
        _ = place.disk.perform(.discard(job))
        #expect(place.names.isEmpty)
    }

    @Test("A folder tells what room there is, and one that can't be written to is refused at once")
    func room() throws {
        let place = try Place()
        guard case .space(Self.batch, let space?) = place.disk.perform(.measure(Self.batch)) else {
            Issue.record("no answer")
            return
        }
        #expect(space > 0)
        #expect(FileDisk(nil, of: Self.sender).perform(.measure(Self.batch)) == .space(Self.batch, nil))
        let file = place.temporary.write("file", [1])
        #expect(throws: (any Error).self) { try ReceivingFolder(file) }
        #expect(throws: (any Error).self) { try ReceivingFolder(place.temporary.path("no/where")) }
    }
}
