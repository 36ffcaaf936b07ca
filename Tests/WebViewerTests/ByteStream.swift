import Foundation

/// A blocking TCP connection on loopback. Reads that take too long throw an error.
final class ByteStream {
    struct Ended: Error {}

    /// The time-out in seconds.
    private static let patience = 20

    private let descriptor: Int32
    private var waiting: ArraySlice<UInt8> = []

    /// - Parameter origin: the last number of the client's address 127.0.0.X.
    init(port: UInt16, from origin: UInt8 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port)
        var own = Self.loopback(0)
        own.sin_addr.s_addr = (UInt32(0x7F00_0000) + UInt32(origin)).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        guard isBound else { throw BrowserError(description: "this machine is not 127.0.0.\(origin)") }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
        guard isConnected else { throw BrowserError(description: "nothing listens at port \(port)") }
        prepare()
    }

    /// Wraps an accepted connection.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        prepare()
    }

    /// Removes the time-out.
    func waitForever() { limit(0) }

    deinit { close(descriptor) }

    private func prepare() {
        limit(Self.patience)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private func limit(_ seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the available bytes, at least one.
    func readSome() throws -> [UInt8] {
        if waiting.isEmpty { try fill() }
        defer { waiting = [] }
        return Array(waiting)
    }

    func read(_ count: Int) throws -> [UInt8] {
        while waiting.count < count { try fill() }
        defer { waiting = waiting.dropFirst(count) }
        return Array(waiting.prefix(count))
    }

    /// Reads the lines of an HTTP message up to the empty one.
    func readHead() throws -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            head += try read(1)
            guard head.count < 65536 else { throw Ended() }
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// Shuts down both directions.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func fill() throws {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0, errno == EAGAIN {
            throw BrowserError(description: "nothing came within \(Self.patience) s, and no end")
        }
        guard count > 0 else { throw Ended() }
        waiting = (Array(waiting) + bytes[..<count])[...]
    }
}
