import Foundation

/// A socket on loopback that is connected to one peer, for tests with another program.
final class UDPSocket {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    let port: UInt16

    /// Opens a socket on a free port.
    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard status == 0 else { throw Failure(description: "bind: errno \(errno)") }
    }

    deinit { _ = Foundation.close(descriptor) }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func connect(to port: UInt16) throws {
        var address = Self.loopback(port)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "connect: errno \(errno)") }
    }

    /// Sends a datagram; it is lost without an error if the peer is gone.
    func send(_ bytes: [UInt8]) { _ = Foundation.send(descriptor, bytes, bytes.count, 0) }

    /// The next datagram; `nil` after a time-out, or if the peer is gone.
    func receive(milliseconds: Int32) -> [UInt8]? {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, max(0, milliseconds)) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Waits for a datagram from any sender, which becomes the peer.
    func accept(milliseconds: Int32) throws -> [UInt8] {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, milliseconds) == 1 else { throw Failure(description: "nobody came") }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let count = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &bytes, bytes.count, 0, $0, &length)
            }
        }
        guard count >= 0 else { throw Failure(description: "recvfrom: errno \(errno)") }
        try connect(to: UInt16(bigEndian: address.sin_port))
        return Array(bytes.prefix(count))
    }
}
