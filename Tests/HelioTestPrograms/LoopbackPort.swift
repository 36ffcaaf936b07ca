import Foundation
import Synchronization

/// Ports on loopback for programs that can't choose a free one themselves. Each is even and free for UDP and TCP, and
/// so is the next one, which RTCP uses.
///
/// A process reserves a block of ports for its lifetime: another process that runs the same tests has another block.
/// The blocks are below the system's ephemeral ports, so that nobody takes a port before the program does.
package enum LoopbackPort {
    static let blockSize = 128
    static let first = 10_240

    private struct State {
        var block: Range<Int>?
        var next = 0
    }

    private static let state = Mutex(State())
    /// Reserves this process's block by its abstract socket name; it is never closed.
    private static let lock = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    /// Returns a port that was not returned recently, so that a program can restart on its own port.
    ///
    /// - Parameter ipv6: whether it must be free on ::1 too. Returns `nil` if there is none, or no IPv6.
    package static func find(ipv6: Bool = false) -> UInt16? {
        state.withLock { state in
            if state.block == nil { state.block = takeBlock() }
            guard let block = state.block else { return nil }
            for _ in 0..<block.count / 2 {
                let port = UInt16(block.lowerBound + state.next)
                state.next = (state.next + 2) % block.count
                if isFree(port, ipv6: ipv6), isFree(port + 1, ipv6: ipv6) { return port }
            }
            return nil
        }
    }

    private static func isFree(_ port: UInt16, ipv6: Bool) -> Bool {
        var probes = [Probe(AF_INET, SOCK_DGRAM, port), Probe(AF_INET, SOCK_STREAM, port)]
        if ipv6 { probes += [Probe(AF_INET6, SOCK_DGRAM, port), Probe(AF_INET6, SOCK_STREAM, port)] }
        return probes.allSatisfy { $0 != nil }
    }

    private static func takeBlock() -> Range<Int>? {
        _ = fcntl(lock, F_SETFD, FD_CLOEXEC)
        let range = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let given = range?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) } ?? 32_768
        // If almost all ports are ephemeral, the blocks have to be among them.
        let count = ((given > first + 16 * blockSize ? given : 65_536) - first) / blockSize
        // Processes that start at the same time search from different positions.
        let start = Int(ProcessInfo.processInfo.processIdentifier)
        for step in 0..<count {
            let number = (start + step) % count
            if hold(number) { return first + number * blockSize..<first + (number + 1) * blockSize }
        }
        return nil
    }

    /// Reserves a block, unless another process has it. An abstract socket name disappears with its process, and each
    /// network namespace has its own names, as it has its own ports.
    private static func hold(_ number: Int) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [0] + Array("heliograph-test-ports-\(number)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.bind(lock, $0, length) == 0 }
        }
    }

    /// True if connections are accepted at a port.
    package static func listens(_ port: UInt16, at address: String) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { _ = Foundation.close(descriptor) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else { return false }
        return withUnsafePointer(to: target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// True if a program has bound this UDP port at any address. The kernel's table is read, since a trial bind would
    /// disturb the program.
    package static func receives(_ port: UInt16) -> Bool {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return table("/proc/net/udp").split(separator: "\n").contains { line in
            line.split(separator: " ").dropFirst().first?.hasSuffix(suffix) == true
        }
    }

    /// Reads a kernel table, which is returned page by page and has no length beforehand.
    private static func table(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var (text, page) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = read(file, &page, page.count)
            if count <= 0 { return String(decoding: text, as: UTF8.self) }
            text += page[..<count]
        }
    }

    /// A socket that occupies a port.
    private final class Probe {
        private let descriptor: Int32

        init?(_ family: Int32, _ type: __socket_type, _ port: UInt16) {
            let descriptor = socket(family, Int32(type.rawValue), 0)
            guard descriptor >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let isBound: Bool
            if family == AF_INET {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(family)
                address.sin_port = port.bigEndian
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                isBound = Self.bind(descriptor, &address)
            } else {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(family)
                address.sin6_port = port.bigEndian
                address.sin6_addr = in6addr_loopback
                isBound = Self.bind(descriptor, &address)
            }
            guard isBound else {
                _ = Foundation.close(descriptor)
                return nil
            }
            self.descriptor = descriptor
        }

        deinit { _ = Foundation.close(descriptor) }

        private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
                }
            }
        }
    }
}
