import Foundation

/// IPv4 sockets on this machine that started programs don't inherit.
enum LoopbackSocket {
    /// The buffer size in bytes: more than arrives while this process isn't scheduled, if the system allows that.
    private static let bufferBytes: Int32 = 4 << 20

    static func open(_ type: __socket_type, isBlocking: Bool = false) -> Int32 {
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        var (yes, size): (Int32, Int32) = (1, bufferBytes)
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, length)
        if type == SOCK_DGRAM { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        return descriptor
    }

    /// - Parameter port: 0 for any free one.
    static func bind(_ descriptor: Int32, to address: String, _ port: UInt16) -> Bool {
        withAddress(address, port) { Foundation.bind(descriptor, $0, $1) == 0 }
    }

    static func connect(_ descriptor: Int32, to address: String, _ port: UInt16) -> Bool {
        withAddress(address, port) { Foundation.connect(descriptor, $0, $1) == 0 }
    }

    /// The port that a socket is bound to; 0 if it is not bound.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        return isKnown ? UInt16(bigEndian: address.sin_port) : 0
    }

    private static func withAddress(
        _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return false }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
