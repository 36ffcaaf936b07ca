import Foundation
import Synchronization

/// A network between a viewer and a host on this machine that can fail: forwards TCP and UDP from 127.0.0.2 to the
/// host's ports on 127.0.0.1.
///
/// While cut, it drops everything and resets nothing, like a network that is down: not even a SYN is answered, since
/// the listen queue is kept full.
final class FailingNetwork: Sendable {
    struct Failed: Error {
        let what: String
    }

    /// The address to use instead of the host's.
    static let address = "127.0.0.2"

    private enum Order {
        case cut
        /// Resumes forwarding; the host then sees viewers at this address.
        case restore(from: String)
        case stop
    }

    private let orders = Mutex<[Order]>([])
    private let bell: (read: Int32, write: Int32)
    private let done = DispatchSemaphore(value: 0)
    private let port: UInt16

    init(toPort port: UInt16) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failed(what: "pipe") }
        bell = (ends[0], ends[1])
        self.port = port
        let carrier = try Carrier(port: port)
        Thread.detachNewThread { [self] in
            run(carrier)
            carrier.close()
            done.signal()
        }
    }

    func cut() { tell(.cut) }
    func restore(from address: String = "127.0.0.1") { tell(.restore(from: address)) }
    func stop() { tell(.stop) }

    /// True if a new connection is answered within 300 ms.
    var answers: Bool { Carrier.answers(port) }

    /// Sends an order to the thread, and returns once it was executed.
    private func tell(_ order: Order) {
        orders.withLock { $0.append(order) }
        var byte: UInt8 = 0
        _ = write(bell.write, &byte, 1)
        done.wait()
    }

    private func run(_ carrier: Carrier) {
        while true {
            carrier.carry(bell: bell.read)
            for order in orders.withLock({ orders in
                defer { orders = [] }
                return orders
            }) {
                var byte: UInt8 = 0
                _ = read(bell.read, &byte, 1)
                switch order {
                case .cut: carrier.cut()
                case .restore(let address): carrier.restore(from: address)
                case .stop: return
                }
                done.signal()
            }
        }
    }
}

/// The sockets, used on one thread.
private final class Carrier: @unchecked Sendable {
    private struct Link {
        var near: Int32
        var far: Int32
    }

    private struct Flow: Hashable {
        var socket: Int
        var port: UInt16
    }

    private let port: UInt16
    private let listener: Int32
    /// The sockets for media and for control.
    private let datagrams: [Int32]
    private var links: [Link] = []
    private var flows: [Flow: Int32] = [:]
    private var isUp = true
    private var source = "127.0.0.1"
    private var fillers: [Int32] = []
    /// Connections from an obsolete address: silent, but open.
    private var forgotten: [Int32] = []
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(port: UInt16) throws {
        self.port = port
        listener = Self.socket(SOCK_STREAM)
        datagrams = [Self.socket(SOCK_DGRAM), Self.socket(SOCK_DGRAM)]
        guard Self.bind(listener, FailingNetwork.address, port), listen(listener, 64) == 0,
            Self.bind(datagrams[0], FailingNetwork.address, port),
            Self.bind(datagrams[1], FailingNetwork.address, port + 1)
        else { throw FailingNetwork.Failed(what: "the ports of the host are taken at \(FailingNetwork.address)") }
    }

    func close() {
        for link in links { forgotten += [link.near, link.far] }
        for descriptor in [listener] + datagrams + flows.values + fillers + forgotten { Glibc.close(descriptor) }
    }

    // MARK: Orders

    func cut() {
        isUp = false
        // One connection waits to be accepted, and fills the queue: the system drops later ones.
        listen(listener, 0)
        for _ in 0..<3 {
            let filler = Self.socket(SOCK_STREAM)
            _ = Self.connect(filler, FailingNetwork.address, port)
            fillers.append(filler)
        }
    }

    func restore(from address: String) {
        // Connections that got into the queue meanwhile are only the fillers.
        for filler in fillers { Glibc.close(filler) }
        fillers = []
        while case let accepted = accept(listener, nil, nil), accepted >= 0 { Glibc.close(accepted) }
        listen(listener, 64)
        if address != source {
            source = address
            for link in links { forgotten += [link.near, link.far] }
            links = []
            for descriptor in flows.values { Glibc.close(descriptor) }
            flows = [:]
        }
        isUp = true
    }

    // MARK: Carrying

    /// Waits for readable sockets, and forwards their data once.
    func carry(bell: Int32) {
        var waiting = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
        func watch(_ descriptor: Int32) { waiting.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
        for descriptor in datagrams { watch(descriptor) }
        for descriptor in flows.values { watch(descriptor) }
        if isUp {
            watch(listener)
            for link in links {
                watch(link.near)
                watch(link.far)
            }
        }
        guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { return }
        let ready = Set(waiting.filter { $0.revents != 0 }.map(\.fd))
        for (index, descriptor) in datagrams.enumerated() where ready.contains(descriptor) { takeDatagram(index) }
        for (flow, descriptor) in flows where ready.contains(descriptor) { returnDatagram(flow, descriptor) }
        guard isUp else { return }
        links.removeAll { link in
            let isOver =
                ready.contains(link.near) && !copy(link.near, link.far)
                || ready.contains(link.far) && !copy(link.far, link.near)
            if isOver {
                Glibc.close(link.near)
                Glibc.close(link.far)
            }
            return isOver
        }
        if ready.contains(listener) { takeConnection() }
    }

    private func takeConnection() {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        let far = Self.socket(SOCK_STREAM, isBlocking: true)
        guard Self.bind(far, source, 0), Self.connect(far, "127.0.0.1", port) else {
            Glibc.close(near)
            Glibc.close(far)
            return
        }
        var one: Int32 = 1
        for descriptor in [near, far] {
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        links.append(Link(near: near, far: far))
    }

    /// Forwards available data; returns false at the connection's end.
    private func copy(_ from: Int32, _ to: Int32) -> Bool {
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return false }
        var sent = 0
        while sent < count {
            let written = buffer.withUnsafeBytes {
                Glibc.send(to, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
            }
            guard written > 0 else { return false }
            sent += written
        }
        return true
    }

    private func takeDatagram(_ index: Int) {
        var sender = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(datagrams[index], &buffer, buffer.count, 0, $0, &length)
            }
        }
        guard count >= 0, isUp else { return }
        let flow = Flow(socket: index, port: UInt16(bigEndian: sender.sin_port))
        if flows[flow] == nil {
            let far = Self.socket(SOCK_DGRAM)
            guard Self.bind(far, source, 0), Self.connect(far, "127.0.0.1", port + UInt16(index)) else { return }
            flows[flow] = far
        }
        if let far = flows[flow] { _ = Glibc.send(far, buffer, count, 0) }
    }

    private func returnDatagram(_ flow: Flow, _ descriptor: Int32) {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0, isUp else { return }
        Self.withAddress("127.0.0.1", flow.port) { address, length in
            _ = sendto(datagrams[flow.socket], buffer, count, 0, address, length)
        }
    }

    // MARK: System

    static func answers(_ port: UInt16) -> Bool {
        let descriptor = socket(SOCK_STREAM)
        defer { Glibc.close(descriptor) }
        _ = connect(descriptor, FailingNetwork.address, port)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, 300) > 0
    }

    private static func socket(_ type: __socket_type, isBlocking: Bool = false) -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(type.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        if !isBlocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        return descriptor
    }

    private static func bind(_ descriptor: Int32, _ address: String, _ port: UInt16) -> Bool {
        withAddress(address, port) { Glibc.bind(descriptor, $0, $1) == 0 }
    }

    private static func connect(_ descriptor: Int32, _ address: String, _ port: UInt16) -> Bool {
        withAddress(address, port) { Glibc.connect(descriptor, $0, $1) == 0 }
    }

    @discardableResult
    private static func withAddress<Result>(
        _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
