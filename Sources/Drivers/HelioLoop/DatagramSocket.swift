package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A UDP socket that any thread may send on, without an event loop.
///
/// The socket never blocks: a datagram that the system does not accept at once is lost, as on any network.
package final class DatagramSocket: Sendable {
    let descriptor: Int32
    private let family: Int32
    /// The port that the socket is bound to.
    package let localPort: UInt16

    /// - Parameters:
    ///   - address: the numeric address of the interface to listen on.
    ///   - peer: the only address to receive from and to send to; `nil` for any address.
    ///
    /// Throws `systemFailed` if the socket can't be opened, bound or connected.
    package init(bindTo address: String, port: Int, peer: PathID? = nil) throws(HelioError) {
        func failure(_ what: String) -> HelioError {
            HelioError(
                .systemFailed, "UDP port \(port) on \(address) can't be \(what): \(String(cString: strerror(errno)))")
        }
        guard var local = RawAddress(address: address, port: port) else {
            throw HelioError(.systemFailed, "'\(address)' is no IP address")
        }
        #if canImport(Glibc)
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let type = SOCK_DGRAM
        #endif
        let descriptor = socket(local.family, type, 0)
        guard descriptor >= 0 else { throw failure("opened") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var isBound = local.withSocketAddress { bind(descriptor, $0, $1) } == 0
        if isBound, let peer {
            var remote = RawAddress(peer, family: local.family)
            isBound = remote?.withSocketAddress { connect(descriptor, $0, $1) } == 0
        }
        guard isBound else {
            let error = failure("used")
            close(descriptor)
            throw error
        }
        var bound = RawAddress()
        _ = bound.withSocketAddress { getsockname(descriptor, $0, &$1) }
        self.descriptor = descriptor
        family = local.family
        localPort = bound.port
    }

    deinit { close(descriptor) }

    /// True if one socket can receive IPv4 and IPv6: a system may lack IPv6, or separate the two families.
    package static var takesBothFamilies: Bool {
        #if canImport(Glibc)
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let type = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_INET6, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var isOneOnly: Int32 = 1
        var length = socklen_t(MemoryLayout.size(ofValue: isOneOnly))
        let level = Int32(IPPROTO_IPV6)
        return getsockopt(descriptor, level, IPV6_V6ONLY, &isOneOnly, &length) == 0 && isOneOnly == 0
    }

    /// Permits this socket to send to the addresses of all machines on a network.
    ///
    /// - Returns: false if the system refuses.
    func permitBroadcast() -> Bool {
        var isOn: Int32 = 1
        let size = socklen_t(MemoryLayout.size(ofValue: isOn))
        return setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &isOn, size) == 0
    }

    /// Sets a kernel filter, on Linux only, that drops datagrams without one of these SSRCs at one of the offsets in
    /// bytes.
    func listen(to sources: [SSRC], at offsets: [Int]) {
        #if os(Linux)
        SourceFilter(sources, at: offsets).withValue { value in
            var value = value
            let size = socklen_t(MemoryLayout.size(ofValue: value))
            // If the filter can't be set, authentication still rejects datagrams of unknown senders.
            _ = setsockopt(descriptor, SOL_SOCKET, SourceFilter.option, &value, size)
        }
        #endif
    }

    /// The number of datagrams that the system dropped because of the filter or a full receive buffer. Always 0 except
    /// on Linux.
    var thrownAway: Int {
        #if os(Linux)
        var counts: SourceFilter.Counts = (0, 0, 0, 0, 0, 0, 0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: counts))
        guard getsockopt(descriptor, SOL_SOCKET, SourceFilter.countOption, &counts, &size) == 0 else { return 0 }
        return Int(counts.8)
        #else
        return 0
        #endif
    }

    /// - Parameter path: the destination; `nil` on a connected socket.
    /// - Returns: true if the system accepted the datagram.
    func send(_ bytes: [UInt8], to path: PathID?) -> Bool {
        if let path {
            guard var address = RawAddress(path, family: family) else { return false }
            return address.withSocketAddress { sendto(descriptor, bytes, bytes.count, 0, $0, $1) } == bytes.count
        } else {
            return sendConnected(descriptor, bytes) == bytes.count
        }
    }

    /// Reads the next datagram, truncated to the buffer's length; `nil` if none is queued.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, from: PathID)? {
        while true {
            var sender = RawAddress()
            let count = sender.withSocketAddress { recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, $0, &$1) }
            if count >= 0 {
                guard let path = sender.path else { continue }
                return (count, path)
            }
            // An ICMP message that no process has the peer's port makes `recvfrom` fail once with ECONNREFUSED; the
            // socket stays usable.
            if errno != ECONNREFUSED && errno != EINTR { return nil }
        }
    }
}

/// The system's `send`, which the method of that name hides.
private func sendConnected(_ descriptor: Int32, _ bytes: [UInt8]) -> Int { send(descriptor, bytes, bytes.count, 0) }
