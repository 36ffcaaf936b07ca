import Foundation
import HelioTerminal
import HelioTestLanes
import Testing

@Suite("The journal's stream", .tags(.quiet))
struct JournalStreamTests {
    @Test(
        "device and inode with a colon between them, or none",
        arguments: [
            ("8:12345", JournalStream(device: 8, inode: 12345)), ("8", nil), ("8:", nil), (":8", nil), ("", nil),
            ("8:9:10", nil), ("-8:9", nil), ("x:9", nil), (nil, nil),
        ] as [(String?, JournalStream?)])
    func parsed(variable: String?, stream: JournalStream?) {
        #expect(JournalStream(variable) == stream)
    }

    @Test("a descriptor is the stream only if both numbers are its own")
    func descriptor() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        #expect(fstat(descriptor, &status) == 0)
        let (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        #expect(JournalStream(device: device, inode: inode).isOpen(at: descriptor))
        #expect(!JournalStream(device: device, inode: inode &+ 1).isOpen(at: descriptor))
        #expect(!JournalStream(device: device &+ 1, inode: inode).isOpen(at: descriptor))
        #expect(!JournalStream(device: device, inode: inode).isOpen(at: -1))
    }
}
