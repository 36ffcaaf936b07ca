import Foundation
import HelioCore
import HelioSimulation
import Synchronization

/// The thread of a `NarrowPath`: its sockets, and the links between them.
///
/// State shared with other threads is in `state`; everything else belongs to the thread once it runs.
final class PathCarrier: @unchecked Sendable {
    /// A datagram that has passed a link.
    private struct Arrival: Sendable {
        var way: SharedBottleneck.Way
        var flow: Int
        var bytes: [UInt8]
    }

    /// The datagrams to deliver now, and the time when there may be more.
    private struct Turn: Sendable {
        var arrivals: [Arrival]
        var next: Instant?
    }

    private struct State: Sendable {
        var path: SharedBottleneck
        var ledger = PathLedger()
        /// The host's ports, by door; `nil` if not known yet.
        var targets: [UInt16?]
        var isOver = false

        /// Returns the next turn; `nil` at the end.
        mutating func turn(at now: Instant) -> Turn? {
            if isOver { return nil }
            var arrivals: [Arrival] = []
            for way in SharedBottleneck.Way.allCases {
                while let arrived = path.deliver(way, now: now) {
                    if way == .forth { ledger.carried.append(.init(at: now, size: arrived.bytes.count)) }
                    arrivals.append(Arrival(way: way, flow: arrived.flow, bytes: arrived.bytes))
                }
            }
            return Turn(arrivals: arrivals, next: path.deadline?.at)
        }

        mutating func give(_ bytes: [UInt8], flow: Int, at now: Instant) {
            ledger.given.append(.init(at: now, size: bytes.count))
            path.send(bytes, flow: flow, .forth, now: now)
        }

        mutating func change(to conditions: LinkConditions, at now: Instant) {
            path.forth.steps.append((at: now, conditions: conditions))
            path.back.steps.append((at: now, conditions: NarrowPath.back(conditions)))
        }

        /// Sets the first door's destination unless it is set; returns whether it is this port.
        mutating func lead(to port: UInt16) -> Bool {
            if targets[0] == nil { targets[0] = port }
            return targets[0] == port
        }

        var snapshot: PathLedger {
            var all = ledger
            all.departures = path.forth.departures
            (all.lost, all.overflowed) = (path.forth.drops[.lost], path.forth.drops[.queueFull])
            return all
        }
    }

    /// A viewer's source address, and the socket that represents it towards the host.
    private struct Flow {
        var door: Int
        var viewer: sockaddr_in
        var far: Int32
    }

    private struct FlowKey: Hashable {
        var door: Int
        var address: UInt32
        var port: UInt16
    }

    /// The most datagrams read from one socket before the others have their turn.
    private static let batch = 64

    /// The first door's port.
    let port: UInt16
    private let state: Mutex<State>
    private let bell: (read: Int32, write: Int32)
    private let done = DispatchSemaphore(value: 0)
    /// The sockets to which viewers send.
    private let doors: [Int32]
    private let connections: PathConnections?
    private var flows: [Flow] = []
    private var numbers: [FlowKey: Int] = [:]
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter target: the host's port, also used by this end; `nil` for a single UDP door without a destination
    ///   yet.
    init(_ conditions: LinkConditions, seed: UInt64, target: UInt16?) throws(NarrowPath.Failed) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw NarrowPath.Failed(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = (ends[0], ends[1])
        let address = target == nil ? "127.0.0.1" : NarrowPath.address
        let targets: [UInt16?] = if let target { [target, target + 1] } else { [nil] }
        var doors: [Int32] = []
        for port in targets {
            let door = LoopbackSocket.open(SOCK_DGRAM)
            guard LoopbackSocket.bind(door, to: address, port ?? 0) else {
                throw NarrowPath.Failed(description: "UDP port \(port ?? 0) is taken at \(address)")
            }
            doors.append(door)
        }
        self.doors = doors
        port = LoopbackSocket.port(of: doors[0])
        if let target {
            connections = try PathConnections(at: address, target)
        } else {
            connections = nil
        }
        state = Mutex(
            State(
                path: SharedBottleneck(forth: conditions, back: NarrowPath.back(conditions), seed: seed),
                targets: targets))
    }

    // MARK: For other threads

    func start() {
        Thread.detachNewThread { [self] in
            run()
            closeAll()
            done.signal()
        }
    }

    /// Stops the thread and waits for its end, at most ten seconds.
    func stop() {
        state.withLock { $0.isOver = true }
        ring()
        _ = done.wait(timeout: .now() + 10)
    }

    func change(to conditions: LinkConditions) -> Instant {
        let now = Instant.now
        state.withLock { $0.change(to: conditions, at: now) }
        // The next event may be earlier now.
        ring()
        return now
    }

    func lead(to port: UInt16) -> Bool { state.withLock { $0.lead(to: port) } }

    var ledger: PathLedger { state.withLock { $0.snapshot } }

    var queueDelay: Duration {
        let now = Instant.now
        return state.withLock { $0.path.forth.queueDelay(now: now) }
    }

    private func ring() {
        var byte: UInt8 = 0
        _ = write(bell.write, &byte, 1)
    }

    // MARK: The thread

    private func run() {
        while let turn = state.withLock({ $0.turn(at: Instant.now) }) {
            for arrival in turn.arrivals { hand(arrival) }
            var waiting = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), Self.milliseconds(until: turn.next)) > 0 else { continue }
            take(Set(waiting.filter { $0.revents != 0 }.map(\.fd)))
        }
    }

    /// The time until an instant in milliseconds, rounded up; a second if there is none.
    private static func milliseconds(until instant: Instant?) -> Int32 {
        guard let instant else { return 1000 }
        return Int32(min(1000, max(0, ((instant - .now).nanoseconds + 999_999) / 1_000_000)))
    }

    private var watched: [Int32] { [bell.read] + doors + flows.map(\.far) + (connections?.descriptors ?? []) }

    private func take(_ ready: Set<Int32>) {
        if ready.contains(bell.read) {
            var byte: UInt8 = 0
            _ = read(bell.read, &byte, 1)
        }
        for (index, door) in doors.enumerated() where ready.contains(door) { takeFromViewers(index) }
        for (index, flow) in flows.enumerated() where ready.contains(flow.far) { takeFromHost(index) }
        connections?.carry(ready)
    }

    private func takeFromViewers(_ door: Int) {
        for _ in 0..<Self.batch {
            var sender = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let count = withUnsafeMutablePointer(to: &sender) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(doors[door], &buffer, buffer.count, 0, $0, &length)
                }
            }
            guard count >= 0 else { return }
            guard let number = number(of: sender, at: door) else { continue }
            let bytes = Array(buffer[..<count])
            let now = Instant.now
            state.withLock { $0.path.send(bytes, flow: number, .back, now: now) }
        }
    }

    private func takeFromHost(_ number: Int) {
        for _ in 0..<Self.batch {
            let count = recv(flows[number].far, &buffer, buffer.count, 0)
            guard count >= 0 else { return }
            let bytes = Array(buffer[..<count])
            let now = Instant.now
            state.withLock { $0.give(bytes, flow: number, at: now) }
        }
    }

    /// The number of a viewer's flow; `nil` if it has no destination.
    private func number(of viewer: sockaddr_in, at door: Int) -> Int? {
        let key = FlowKey(door: door, address: viewer.sin_addr.s_addr, port: viewer.sin_port)
        if let known = numbers[key] { return known }
        guard let target = state.withLock({ $0.targets[door] }) else { return nil }
        let far = LoopbackSocket.open(SOCK_DGRAM)
        guard LoopbackSocket.connect(far, to: "127.0.0.1", target) else {
            close(far)
            return nil
        }
        flows.append(Flow(door: door, viewer: viewer, far: far))
        numbers[key] = flows.count - 1
        return flows.count - 1
    }

    private func hand(_ arrival: Arrival) {
        let (flow, bytes) = (flows[arrival.flow], arrival.bytes)
        switch arrival.way {
        case .back: _ = send(flow.far, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        case .forth:
            withUnsafePointer(to: flow.viewer) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = sendto(
                        doors[flow.door], bytes, bytes.count, Int32(MSG_NOSIGNAL), $0,
                        socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private func closeAll() {
        connections?.stop()
        for descriptor in doors + flows.map(\.far) + [bell.read, bell.write] { close(descriptor) }
    }
}
