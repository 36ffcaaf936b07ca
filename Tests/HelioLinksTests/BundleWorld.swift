import HelioCore
import HelioLinks
import HelioSimulation

/// Two bundles, and the links between them, on virtual time.
struct BundleWorld: ~Copyable {
    /// A link between the ends.
    struct Wire {
        let id: LinkID
        var toHost: SimulatedLink
        var toViewer: SimulatedLink
        let conditions: LinkConditions

        /// True while all datagrams that are sent are lost.
        var isDead = false {
            didSet {
                let loss: LossModel = isDead ? .random(1) : conditions.loss
                toHost.conditions.loss = loss
                toViewer.conditions.loss = loss
            }
        }

        var deadline: Deadline? { .earliest(toHost.deadline, toViewer.deadline) }
    }

    static let direct = LinkID(1)
    static let relayed = LinkID(2)
    static let rendezvous = LinkID(3)
    static let narrow = LinkID(4)

    var viewer: BundleEnd
    var host: BundleEnd
    private(set) var wires: [Wire] = []
    private var time = VirtualTime()
    private let seed: UInt64
    /// The viewer's datagrams, if `keepsFrames`.
    private(set) var frames: [(link: LinkID, bytes: [UInt8])] = []
    var keepsFrames = false
    /// The link on which the viewer's datagrams are kept in `frames`, but not delivered.
    var stolen: LinkID?

    init(settings: LinkBundleSettings = LinkBundleSettings(), seed: UInt64 = 1) throws {
        let viewer = try BundleEnd(.viewer, settings: settings, seed: seed &* 2)
        let host = try BundleEnd(.host, settings: settings, seed: seed &* 2 &+ 1)
        self.seed = seed
        self.viewer = viewer
        self.host = host
    }

    var now: Instant { time.now }

    /// The link that both ends use for media and control; `nil` if there is none, or not only one.
    var active: LinkID? {
        let (viewer, host) = (viewer.bundle.statistics, host.bundle.statistics)
        let others = [viewer.control, host.media, host.control]
        return others.allSatisfy { $0 == viewer.media } ? viewer.media : nil
    }

    static func traits(_ id: LinkID) -> LinkTraits {
        switch id {
        case direct: LinkTraits(kind: .direct)
        case relayed: LinkTraits(kind: .relayed)
        case rendezvous: LinkTraits(kind: .rendezvous)
        default: LinkTraits(kind: .narrow, width: .megabits(1))
        }
    }

    /// Lays a wire, and tells both ends of the link if `isUp`.
    mutating func add(_ id: LinkID, _ conditions: LinkConditions, isUp: Bool = true) {
        let seed = seed &* 31 &+ UInt64(id.value) &* 2
        wires.append(
            Wire(
                id: id, toHost: SimulatedLink(conditions, seed: seed),
                toViewer: SimulatedLink(conditions, seed: seed &+ 1), conditions: conditions))
        guard isUp else { return }
        viewer.bundle.handle(.up(id, Self.traits(id)), now: now)
        host.bundle.handle(.up(id, Self.traits(id)), now: now)
    }

    mutating func setDead(_ id: LinkID, _ isDead: Bool) {
        for index in wires.indices where wires[index].id == id { wires[index].isDead = isDead }
    }

    mutating func run(_ duration: Duration) throws {
        let end = now + duration
        while try step(until: end) {}
    }

    /// Runs until `isDone`, or for `limit`; returns whether it is done.
    mutating func run(atMost limit: Duration, until isDone: (borrowing BundleWorld) -> Bool) throws -> Bool {
        let end = now + limit
        while !isDone(self) {
            guard try step(until: end) else { return isDone(self) }
        }
        return true
    }

    /// Runs for a time in which the host sends media and both ends send control every `interval`, numbered from
    /// `first`. Returns the next number.
    mutating func runBusy(
        _ duration: Duration, every interval: Duration = .milliseconds(10), first: UInt32 = 0, mediaSize: Int = 200
    ) throws -> UInt32 {
        let end = now + duration
        var number = first
        while now < end {
            host.bundle.handle(.send(.media, BundleEnd.datagram(number, size: mediaSize)), now: now)
            sendControl(number)
            number += 1
            try run(interval)
        }
        return number
    }

    mutating func sendControl(_ number: UInt32) {
        host.bundle.handle(.send(.control, BundleEnd.datagram(number, size: 48)), now: now)
        viewer.bundle.handle(.send(.control, BundleEnd.datagram(number, size: 40)), now: now)
    }

    private mutating func step(until end: Instant) throws -> Bool {
        try settle()
        var next = Deadline.earliest(viewer.bundle.deadline, host.bundle.deadline)
        for index in wires.indices { next = .earliest(next, wires[index].deadline) }
        guard try time.advance(to: next, until: end) else { return false }
        if let due = viewer.bundle.deadline, due.at <= now { viewer.bundle.tick(now: now) }
        if let due = host.bundle.deadline, due.at <= now { host.bundle.tick(now: now) }
        return true
    }

    /// Sends and delivers until nothing is left to do at the present time.
    private mutating func settle() throws {
        var isBusy = true
        while isBusy {
            isBusy = false
            while let (bytes, link) = viewer.poll(now) {
                try time.countStep("viewer sends")
                if keepsFrames || link == stolen { frames.append((link, bytes)) }
                guard link != stolen else { continue }
                for index in wires.indices where wires[index].id == link { wires[index].toHost.send(bytes, now: now) }
            }
            while let (bytes, link) = host.poll(now) {
                try time.countStep("host sends")
                for index in wires.indices where wires[index].id == link { wires[index].toViewer.send(bytes, now: now) }
            }
            for index in wires.indices {
                let id = wires[index].id
                while let bytes = wires[index].toHost.deliver(now: now) {
                    host.bundle.handle(.received(bytes, on: id), now: now)
                    isBusy = true
                }
                while let bytes = wires[index].toViewer.deliver(now: now) {
                    viewer.bundle.handle(.received(bytes, on: id), now: now)
                    isBusy = true
                }
            }
        }
    }

    /// Bytes that differ at each place.
    static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { bytes.append(bigEndian: generator.next()) }
        return Array(bytes.prefix(count))
    }
}
