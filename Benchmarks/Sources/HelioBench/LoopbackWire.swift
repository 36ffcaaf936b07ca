import Glibc
import HelioCore

/// Two UDP sockets on the loopback interface, one for each end: the kernel's cost for a real driver, without an event
/// loop.
final class LoopbackWire {
    /// The number of datagrams that the kernel buffers for a socket, whatever their length.
    static let mostOnTheWay = 64

    private let sockets: [Int32]
    let ports: [UInt16]

    init() {
        sockets = (0..<2).map { _ in socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0) }
        ports = sockets.map { socket in
            var address = Self.address(port: 0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let port = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    let isBound = bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
                    precondition(isBound, "no socket: error \(errno)")
                }
                return pointer.pointee.sin_port.byteSwapped
            }
            return port
        }
        for (socket, port) in zip(sockets, ports.reversed()) {
            var address = Self.address(port: port)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            precondition(status == 0, "not connected: error \(errno)")
        }
    }

    deinit { for socket in sockets { close(socket) } }

    func send(_ bytes: [UInt8], from end: Int) {
        let count = Glibc.send(sockets[end], bytes, bytes.count, 0)
        precondition(count == bytes.count, "not sent: error \(errno)")
    }

    /// Receives the next datagram at an end; `nil` if there is none.
    func receive(at end: Int) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 2048) { buffer, filled in
            count = recv(sockets[end], buffer.baseAddress, buffer.count, 0)
            filled = max(0, count)
        }
        return count < 0 ? nil : bytes
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.byteSwapped
        address.sin_addr.s_addr = UInt32(0x7F00_0001).byteSwapped
        return address
    }
}
