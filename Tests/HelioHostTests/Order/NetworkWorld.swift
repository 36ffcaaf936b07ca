import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRemote
import HelioSession
import HelioSimulation

/// A host and any number of viewers on virtual time, over failing networks: each viewer's network can lose, delay and
/// duplicate datagrams, go down, and change the viewer's address. Connections behave as TCP: data sent while the
/// network is down arrives by retransmission, and never at an obsolete address.
final class NetworkWorld {
    /// Thrown when there is no further event, or far too many at one instant.
    struct Stuck: Error, CustomStringConvertible {
        let description: String
    }

    /// The segments of a connection.
    enum Segment {
        /// The whole TLS handshake.
        case hello
        case bytes([UInt8])
        case end
    }

    private struct Event {
        let at: Instant
        let order: Int
        let run: (NetworkWorld) -> Void

        static func < (a: Event, b: Event) -> Bool { a.at == b.at ? a.order < b.order : a.at < b.at }
    }

    static let fingerprint = [UInt8](repeating: 9, count: 32)

    let host: SourceHost
    let control: HostControl
    private(set) var viewers: [RoamingViewer] = []
    private(set) var now = Instant.zero
    var random: SeededGenerator
    var framesPerSecond = 5
    /// True if the screen changes, so that the encoder makes frames.
    var moves = true

    private(set) var isWatched = false
    private(set) var isStopped = false
    private(set) var joined = 0
    private(set) var left: [String] = []
    private(set) var linkSecret: [UInt8]
    private(set) var cursor: CursorShape?
    /// The host's suggested bitrate for the encoder.
    private(set) var bitrate: Bitrate?
    private(set) var permitted = true
    /// The maximum of each of the host's resources while a viewer was connected.
    private(set) var most: [String: Int] = [:]

    private var encoder = TestEncoder(seed: 5)
    private var wantsKeyframe = false
    private var nextFrame: Instant?
    private var heap: [Event] = []
    private var eventCount = 0
    private var connections: [ConnectionID: NetworkConnection] = [:]
    private var nextConnection: UInt64 = 1
    private var stepsNow = 0

    /// The sound of this machine, if it shares any.
    var sounds: [TestSound]
    private(set) var soundWanted: [SoundOrigin: SoundDemand] = [:]

    /// - Parameter soundSpacing: the time between two packets of sound in sample frames, if longer than a packet.
    init(seed: UInt64, viewerLimit: Int = 16, sound: Set<SoundOrigin> = [], soundSpacing: Int64 = 9600) {
        random = SeededGenerator(seed: seed)
        sounds = SoundOrigin.allCases.filter(sound.contains).map {
            var sound = TestSound($0)
            sound.spacing = soundSpacing
            return sound
        }
        encoder.sliceBytes = 40
        var settings = SourceHost.Settings(
            format: .test, allowsControl: true, viewerLimit: viewerLimit, codecs: [.h264, .h265])
        settings.sound = sound
        host = SourceHost(
            settings, fingerprint: Self.fingerprint, crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed &+ 1),
            now: .zero
        )
        host.setPorts(media: 7236, control: 7237)
        control = HostControl(screen: VideoFormat.test.size, crypto: OpenSSLCrypto())
        linkSecret = host.linkSecret.bytes
    }

    // MARK: Time

    func schedule(after delay: Duration, _ run: @escaping (NetworkWorld) -> Void) {
        eventCount += 1
        heap.append(Event(at: now + delay, order: eventCount, run: run))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private func nextEvent() -> Event {
        let first = heap[0]
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    func run(for duration: Duration) throws(Stuck) {
        let end = now + duration
        while let next = nextInstant, next <= end {
            if next > now {
                now = next
                stepsNow = 0
            }
            stepsNow += 1
            if stepsNow > 5000 { throw Stuck(description: "no end of work at \(now.nanoseconds) ns") }
            while let first = heap.first, first.at <= now { nextEvent().run(self) }
            if let due = host.deadline?.at, due <= now { host.tick(now: now) }
            if let due = control.deadline?.at, due <= now { control.tick(now: now) }
            if let due = nextFrame, due <= now { encode() }
            hear()
            for viewer in viewers { viewer.tick(self) }
            drain()
        }
        now = end
    }

    private var nextInstant: Instant? {
        var earliest = heap.first?.at
        func take(_ instant: Instant?) {
            guard let instant else { return }
            earliest = earliest.map { min($0, instant) } ?? instant
        }
        take(host.deadline?.at)
        take(control.deadline?.at)
        take(nextFrame)
        for sound in sounds { take(sound.deadline) }
        for viewer in viewers { take(viewer.deadline) }
        return earliest
    }

    // MARK: Host

    func tell(_ input: consuming SourceHost.Input) {
        host.handle(input, now: now)
        drain()
    }

    func tellControl(_ input: consuming HostControl.Input) {
        control.handle(input, now: now)
        drain()
    }

    func show(_ shape: CursorShape) {
        cursor = shape
        tell(.cursorShape(shape))
    }

    func permit(_ allowed: Bool) {
        permitted = allowed
        tell(.permitControl(allowed, viewer: nil))
    }

    /// Switches the encoder to another format.
    func change(to format: VideoFormat) {
        encoder.codec = format.codec
        wantsKeyframe = true
        tell(.format(format))
    }

    /// Ends the host program: further connections are refused by the system.
    func stop() {
        isStopped = true
        host.stop(now: now)
        drain()
    }

    private func encode() {
        guard isWatched else {
            nextFrame = nil
            return
        }
        let isKeyframe = wantsKeyframe
        wantsKeyframe = false
        nextFrame = moves ? now + .seconds(1) / framesPerSecond : nil
        for slice in encoder.frame(keyframe: isKeyframe, now: now) { host.handle(.slice(slice), now: now) }
        drain()
    }

    private func hear() {
        for index in sounds.indices {
            for packet in sounds[index].packets(now: now) { tell(.sound(packet)) }
        }
    }

    func drain() {
        while let output = host.poll() { take(output) }
        while let output = control.poll() {
            switch output {
            case .datagram(let bytes, let path): deliver(bytes, to: path, isControl: true)
            case .inside(let bytes, let viewer): tell(.tell(viewer, bytes))
            default: break
            }
        }
    }

    private func take(_ output: SourceHost.Output) {
        switch output {
        case .send(let id, let bytes):
            connections[id]?.send(.bytes(bytes), toHost: false, self)
            host.handle(.written(id, bytes.count), now: now)
        case .close(let id): connections[id]?.send(.end, toHost: false, self)
        case .media(let bytes, let path): deliver(bytes, to: path, isControl: false)
        case .control(let input): control.handle(input, now: now)
        case .event(let event): take(event)
        case .web, .sources, .voice, .clipboard, .files: break
        }
    }

    private func take(_ event: SourceHost.Event) {
        switch event {
        case .keyframeNeeded, .repairNeeded:
            wantsKeyframe = true
            // The screen is captured 60 times a second.
            if isWatched { nextFrame = min(nextFrame ?? now + .milliseconds(16), now + .milliseconds(16)) }
        case .watched(let watched):
            isWatched = watched
            nextFrame = watched ? now + .milliseconds(16) : nil
        case .joined: joined += 1
        case .left(_, _, _, let reason): left.append(reason)
        case .bitrate(let suggested): bitrate = suggested
        case .linkReplaced(let secret): linkSecret = secret.bytes
        case .soundWanted(let wanted):
            soundWanted = wanted
            for index in sounds.indices { sounds[index].set(wanted[sounds[index].origin] ?? .none, now: now) }
        default: break
        }
    }

    // MARK: Networks

    /// - Returns: a viewer with the host's current link, not yet connected.
    func addViewer(
        _ conditions: NetworkConditions = .init(), secret: [UInt8]? = nil, sound: [SoundCodec] = []
    ) -> RoamingViewer {
        let viewer = RoamingViewer(
            viewers.count, conditions,
            link: ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: secret ?? linkSecret),
            sound: sound, seed: random.next())
        viewers.append(viewer)
        return viewer
    }

    /// Requests a connection; calls `take` with `nil` if none could be established in time.
    func connect(_ viewer: RoamingViewer, then take: @escaping (NetworkConnection?) -> Void) {
        let attempt = ConnectAttempt(take)
        probe(viewer, attempt, until: now + Reconnection.connectTime)
        schedule(after: Reconnection.connectTime) { _ in attempt.finish(nil) }
    }

    /// Tries to connect, and again after a while. TCP's own retransmissions of the first packet, after 1 and 3 seconds,
    /// coincide with later probes.
    private func probe(_ viewer: RoamingViewer, _ attempt: ConnectAttempt, until end: Instant) {
        guard attempt.isOpen, now < end else { return }
        schedule(after: Reconnection.probeInterval) { $0.probe(viewer, attempt, until: end) }
        guard viewer.conditions.isUp else { return }
        let address = viewer.conditions.address
        schedule(after: viewer.conditions.oneWay * 2) { world in
            guard attempt.isOpen, viewer.conditions.address == address else { return }
            if world.isStopped { return attempt.finish(nil) }
            let id = ConnectionID(world.nextConnection)
            world.nextConnection += 1
            let connection = NetworkConnection(id, viewer, address: address)
            world.connections[id] = connection
            attempt.finish(connection)
        }
    }

    func arrived(_ segment: Segment, on connection: NetworkConnection, atHost: Bool) {
        guard atHost else {
            connection.viewer.heard(segment, on: connection, self)
            return
        }
        switch segment {
        case .hello:
            let place = connection.viewer.place(at: connection.address)
            host.handle(.connected(connection.id, address: place.description), now: now)
            for (name, count) in host.held { most[name] = max(most[name, default: 0], count) }
            connection.send(.hello, toHost: false, self)
        case .bytes(let bytes): host.handle(.received(connection.id, bytes), now: now)
        case .end:
            host.handle(.disconnected(connection.id), now: now)
            connections[connection.id] = nil
        }
        drain()
    }

    /// Sends a viewer's datagram, with the viewer's current address as its source.
    func send(_ bytes: [UInt8], from viewer: RoamingViewer, isControl: Bool) {
        let path = viewer.path
        viewer.conditions.carry(&random) { delay in
            schedule(after: delay) { world in
                if isControl {
                    world.tellControl(.datagram(bytes, from: path))
                } else {
                    world.tell(.media(bytes, from: path))
                }
            }
        }
    }

    private func deliver(_ bytes: [UInt8], to path: PathID, isControl: Bool) {
        // A datagram to an obsolete address is lost.
        guard let viewer = viewers.first(where: { $0.path == path }) else { return }
        viewer.conditions.carry(&random) { delay in
            schedule(after: delay) { world in
                guard viewer.path == path else { return }
                viewer.receive(bytes, isControl: isControl, world)
            }
        }
    }

    /// Drops a connection without notifying the viewer, as the host's system does with a dead one.
    func lose(_ connection: NetworkConnection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        tell(.disconnected(connection.id))
    }
}

/// A connection attempt, which completes once.
private final class ConnectAttempt {
    private var take: ((NetworkConnection?) -> Void)?
    init(_ take: @escaping (NetworkConnection?) -> Void) { self.take = take }
    var isOpen: Bool { take != nil }

    func finish(_ connection: NetworkConnection?) {
        let take = self.take
        self.take = nil
        take?(connection)
    }
}
