import Foundation
import Synchronization

/// Ports of loopback for programs that can't be told to find one themselves. Each is even and free for UDP and TCP, and
/// so is the one above it, which RTP's control takes.
///
/// A process has a block of ports for itself as long as it runs: another that runs the same tests has another. They are
/// below those that the system gives to whoever asks for any, so that nobody takes one before the program does.
package enum LoopbackPort {
    static let blockSize = 128
    static let first = 10_240

    private struct State {
        var block: Range<Int>?
        var next = 0
    }

    private static let state = Mutex(State())
    /// Holds this process's block by its name; is never closed.
    private static let lock = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    /// Gives a port that was not given lately, so that a program may end and begin anew at its own.
    ///
    /// - Parameter ipv6: it has to be free on ::1 too. `nil` where there is none, or no IPv6.
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
        // Where the system gives almost all ports, there is no better place than among them.
        let count = ((given > first + 16 * blockSize ? given : 65_536) - first) / blockSize
        // Processes that begin at a time begin to look at different places.
        let start = Int(ProcessInfo.processInfo.processIdentifier)
        for step in 0..<count {
            let number = (start + step) % count
            if hold(number) { return first + number * blockSize..<first + (number + 1) * blockSize }
        }
        return nil
    }

    /// Takes a block, unless another process has it. A name without a file, as here, goes with its process, and each
    /// network namespace has its own names as it has its own ports.
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

    /// Whether somebody takes connections there.
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

    /// Whether a program has this port of UDP, at whatever address. The kernel is asked: a bind to find out would be in
    /// the program's way.
    package static func receives(_ port: UInt16) -> Bool {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return table("/proc/net/udp").split(separator: "\n").contains { line in
            line.split(separator: " ").dropFirst().first?.hasSuffix(suffix) == true
        }
    }

    /// Reads a table of the kernel's, which gives a page at a time and has no length beforehand.
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

    /// A socket that holds a port.
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
