import Foundation
import Synchronization

/// A man in the middle between the page and the host: everything passes through, and WebSocket messages can be
/// rewritten.
final class Middleman: Sendable {
    /// Rewrites a message; `nil` drops it.
    typealias Rewrite = @Sendable (String) -> String?

    struct Said: Sendable {
        var isOfViewer: Bool
        var text: String
    }

    let port: UInt16
    private let listener: Int32
    private let host: UInt16
    private let rewrites: (viewer: Rewrite, host: Rewrite)
    /// The messages as received, before they were rewritten.
    private let heard = Mutex<[Said]>([])

    /// - Parameters:
    ///   - viewer: rewrites the viewer's messages.
    ///   - host: rewrites the host's messages.
    init(to hostPort: UInt16, viewer: @escaping Rewrite = { $0 }, host: @escaping Rewrite = { $0 }) throws {
        self.host = hostPort
        rewrites = (viewer, host)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = ByteStream.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound, listen(descriptor, 64) == 0 else { throw BrowserError(description: "no port is free") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0, let self else { return }
                Thread.detachNewThread { self.carry(ByteStream(descriptor: accepted)) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// All messages so far.
    var said: [Said] { heard.withLock(\.self) }

    private func carry(_ viewer: ByteStream) {
        guard let head = try? viewer.readHead(), let host = try? ByteStream(port: host),
            (try? host.write(Array(head.utf8))) != nil
        else { return }
        // Either end may be silent without limit.
        for stream in [viewer, host] { stream.waitForever() }
        guard head.lowercased().contains("upgrade: websocket"), let answer = try? host.readHead(),
            (try? viewer.write(Array(answer.utf8))) != nil, answer.contains(" 101 ")
        else { return both(viewer, host) { from, to, _ in try to.write(from.readSome()) } }
        both(viewer, host) { from, to, isOfViewer in
            var frame = try WebSocketFrame(reading: from)
            if frame.opcode == WebSocketFrame.text {
                let text = String(decoding: frame.payload, as: UTF8.self)
                self.heard.withLock { $0.append(Said(isOfViewer: isOfViewer, text: text)) }
                guard let other = isOfViewer ? self.rewrites.viewer(text) : self.rewrites.host(text) else { return }
                frame.payload = Array(other.utf8)
            }
            try to.write(frame.bytes(masked: isOfViewer))
        }
    }

    /// Runs a step in both directions until either ends.
    private func both(
        _ viewer: ByteStream, _ host: ByteStream,
        _ step: @escaping @Sendable (ByteStream, ByteStream, _ isOfViewer: Bool) throws -> Void
    ) {
        nonisolated(unsafe) let (viewer, host) = (viewer, host)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while (try? step(host, viewer, false)) != nil {}
            viewer.stop()
            isDone.signal()
        }
        while (try? step(viewer, host, true)) != nil {}
        host.stop()
        isDone.wait()
    }
}
