import Foundation
import HelioCore
import HelioLocalSocket
import HelioTestLanes
import Testing

@Suite("Sockets of the Unix domain", .tags(.quiet))
struct LocalSocketTests {
    @Test("the socket and its folder are this user's alone") func isPrivate() throws {
        let folder = SocketFolder()
        let listener = try LocalSocket.listen(at: folder.socket)
        #expect(try SocketFolder.mode(folder.path) == 0o700)
        #expect(try SocketFolder.mode(folder.socket) == 0o600)
        _ = listener
    }

    @Test("a folder that is open to others is refused", arguments: [0o750, 0o701, 0o777])
    func openFolder(mode: Int) throws {
        let folder = SocketFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let error = #expect(throws: HelioError.self) { try LocalSocket.listen(at: folder.socket) }
        #expect(error?.code == .systemFailed)
        #expect(!FileManager.default.fileExists(atPath: folder.socket))
    }

    @Test("a file in the folder's place is refused, and a path that is too long") func noFolder() throws {
        let folder = SocketFolder()
        try Data().write(to: URL(filePath: folder.path))
        #expect(throws: HelioError.self) { try LocalSocket.listen(at: folder.socket) }
        let error = #expect(throws: HelioError.self) {
            try LocalSocket.connect(to: "/tmp/" + String(repeating: "a", count: 200))
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test("what a process left behind is replaced, and one that listens is not") func leftBehind() throws {
        let folder = SocketFolder()
        var listener: LocalSocket? = try LocalSocket.listen(at: folder.socket)
        let error = #expect(throws: HelioError.self) { try LocalSocket.listen(at: folder.socket) }
        #expect(error?.code == .systemFailed)
        listener = nil
        let unreachable = #expect(throws: HelioError.self) { try LocalSocket.connect(to: folder.socket) }
        #expect(unreachable?.code == .unreachable)
        listener = try LocalSocket.listen(at: folder.socket)
        #expect(throws: Never.self) { try LocalSocket.connect(to: folder.socket) }
        _ = listener
    }

    /// Row 135, with the buffer sizes of defect 16.
    @Test("buffers, time-outs and the user at the other end") func options() throws {
        let folder = SocketFolder()
        let listener = try LocalSocket.listen(at: folder.socket)
        let connected = try LocalSocket.connect(to: folder.socket)
        let accepted = try #require(listener.accept())
        // The system limits the buffer, and counts its own overhead as well.
        let ceiling =
            (try? String(contentsOfFile: "/proc/sys/net/core/wmem_max", encoding: .utf8))
            .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? LocalSocket.bufferSize
        for socket in [connected, accepted] {
            #expect(socket.bufferSizes.send >= min(LocalSocket.bufferSize, ceiling))
            #expect(socket.bufferSizes.receive >= min(LocalSocket.bufferSize, ceiling))
            #expect(socket.timeouts.send == 10 && socket.timeouts.receive == 10)
            #expect(socket.peerUser == geteuid())
        }
    }

    @Test("bytes come whole and in order through a full socket, and then the end") func transfer() throws {
        let folder = SocketFolder()
        let listener = try LocalSocket.listen(at: folder.socket)
        var connected: LocalSocket? = try LocalSocket.connect(to: folder.socket)
        let accepted = try #require(listener.accept())
        let bytes = (0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        var offset = 0
        var isFull = 0
        var received: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { buffer.deallocate() }
        #expect(accepted.receive(into: buffer) == .wouldBlock)
        while offset < bytes.count {
            switch connected?.send(bytes, from: offset) {
            case .done(let count)?: offset += count
            case .wouldBlock?:
                isFull += 1
                guard case .done(let count) = accepted.receive(into: buffer) else {
                    Issue.record("a full socket has nothing to read")
                    return
                }
                received += buffer[..<count]
            case .closed?, nil:
                Issue.record("closed")
                return
            }
        }
        connected = nil
        let rest = accepted.receiveAll()
        #expect(isFull > 0 && rest.isClosed)
        #expect(received + rest.bytes == bytes)
        // The peer is gone: SIGPIPE must not end the process.
        #expect(accepted.send([1], from: 0) == .closed)
    }
}
