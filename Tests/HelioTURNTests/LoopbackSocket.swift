import Foundation
import HelioCore

/// A non-blocking socket on this machine, for tests with another program; see `wait`.
final class LoopbackSocket {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let descriptor: Int32
    let address: TransportAddress

    static let loopback4 = IPAddress.v4(0x7F00_0001)
    static let loopback6 = IPAddress.v6(high: 0, low: 1)

    /// Opens a socket on a free port.
    init(_ ip: IPAddress = loopback4, isTCP: Bool = false) throws {
        let family = ip.family == .ipv4 ? AF_INET : AF_INET6
        descriptor = socket(family, Int32((isTCP ? SOCK_STREAM : SOCK_DGRAM).rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: errno \(errno)") }
        let descriptor = descriptor
        let status = Self.with(TransportAddress(ip, port: 0)) { Foundation.bind(descriptor, $0, $1) }
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        address = Self.address(of: bound)
        guard status == 0, named == 0 else { throw Failure(description: "bind: errno \(errno)") }
    }

    deinit { _ = Foundation.close(descriptor) }

    func connect(to server: TransportAddress) throws {
        let descriptor = descriptor
        guard Self.with(server, { Foundation.connect(descriptor, $0, $1) }) == 0 else {
            throw Failure(description: "connect to \(server): errno \(errno)")
        }
    }

    /// Sends all bytes; loopback accepts the amounts of these tests at once.
    func send(_ bytes: [UInt8]) throws {
        guard Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(description: "send: errno \(errno)")
        }
    }

    func send(_ bytes: [UInt8], to peer: TransportAddress) throws {
        let descriptor = descriptor
        let count = Self.with(peer) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        guard count == bytes.count else { throw Failure(description: "sendto \(peer): errno \(errno)") }
    }

    /// The next available bytes with their sender; `nil` if there are none. Empty bytes are the end of a stream.
    func receive() -> (bytes: [UInt8], from: TransportAddress)? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var source = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = descriptor
        let count = withUnsafeMutablePointer(to: &source) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
            }
        }
        return count < 0 ? nil : (Array(bytes.prefix(count)), Self.address(of: source))
    }

    /// Waits until one of the sockets is readable, or the time is over.
    static func wait(_ sockets: [LoopbackSocket], milliseconds: Int32) {
        var events = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        _ = poll(&events, nfds_t(events.count), max(0, milliseconds))
    }

    // MARK: Addresses

    private static func with<Result>(
        _ address: TransportAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch address.ip {
        case .v4(let bits):
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = address.port.bigEndian
            raw.sin_addr.s_addr = bits.bigEndian
            return withUnsafePointer(to: &raw) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .v6(let high, let low):
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = address.port.bigEndian
            withUnsafeMutableBytes(of: &raw.sin6_addr) {
                $0.storeBytes(of: high.bigEndian, as: UInt64.self)
                $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            return withUnsafePointer(to: &raw) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
    }

    private static func address(of storage: sockaddr_storage) -> TransportAddress {
        withUnsafeBytes(of: storage) { raw in
            let bytes = RawSpan(_unsafeBytes: raw)
            let port = bytes.uint16(at: 2) ?? 0
            if storage.ss_family == sa_family_t(AF_INET) {
                return TransportAddress(.v4(bytes.uint32(at: 4) ?? 0), port: port)
            }
            return TransportAddress(.v6(high: bytes.uint64(at: 8) ?? 0, low: bytes.uint64(at: 16) ?? 0), port: port)
        }
    }
}
