import Foundation

/// TCP connections that pass a path unchanged: signalling, which tests don't slow down. Used by one thread.
final class PathConnections {
    private struct Link {
        var near: Int32
        var far: Int32
    }

    private let listener: Int32
    private let port: UInt16
    private var links: [Link] = []
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Listens at a port of an address, and forwards to the same port of 127.0.0.1.
    init(at address: String, _ port: UInt16) throws(NarrowPath.Failed) {
        self.port = port
        listener = LoopbackSocket.open(SOCK_STREAM)
        guard LoopbackSocket.bind(listener, to: address, port), listen(listener, 64) == 0 else {
            throw NarrowPath.Failed(description: "TCP port \(port) of the host is taken at \(address)")
        }
    }

    /// The descriptors to poll for reading.
    var descriptors: [Int32] { [listener] + links.flatMap { [$0.near, $0.far] } }

    /// Forwards the available data of these descriptors.
    func carry(_ ready: Set<Int32>) {
        links.removeAll { link in
            let isOver =
                ready.contains(link.near) && !copy(link.near, link.far)
                || ready.contains(link.far) && !copy(link.far, link.near)
            if isOver { Self.end(link) }
            return isOver
        }
        if ready.contains(listener) { takeConnection() }
    }

    func stop() {
        close(listener)
        for link in links { Self.end(link) }
        links = []
    }

    private static func end(_ link: Link) {
        close(link.near)
        close(link.far)
    }

    private func takeConnection() {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        _ = fcntl(near, F_SETFD, FD_CLOEXEC)
        let far = LoopbackSocket.open(SOCK_STREAM, isBlocking: true)
        let link = Link(near: near, far: far)
        guard LoopbackSocket.connect(far, to: "127.0.0.1", port) else { return Self.end(link) }
        var one: Int32 = 1
        for descriptor in [near, far] {
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        links.append(link)
    }

    /// Forwards available data; returns false at the connection's end.
    private func copy(_ from: Int32, _ to: Int32) -> Bool {
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return false }
        var rest = buffer[..<count]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
