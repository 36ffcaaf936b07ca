import HelioCore
import HelioHost
import HelioProtection
import HelioRemote
import HelioSession

/// A seeded run of a host and its viewers through random incidents in random order; failures are described in words.
struct Turmoil {
    /// The incidents of a viewer, its network or the host.
    private enum Incident: CaseIterable {
        case join, guess, stranger, replay, leave, vanish, reset, outage, longOutage, newAddress, moved
        case pause, resume, mute, listen, needKeyframe, press, permit, forbid, format, cursor, loss, junkToViewer
    }

    /// The longest time that a session may neither play nor end.
    private static let patience = Duration.seconds(16)

    private let seed: UInt64
    private let world: NetworkWorld
    private var random: SeededGenerator
    /// The time when all networks are up again.
    private var outagesOver = Instant.zero
    private(set) var faults: [String] = []
    /// The incidents in order, for debugging a seed.
    private(set) var story: [String] = []

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed &* 77 &+ 5)
        // A quarter of the hosts share no sound, and a quarter two origins.
        let sounds: [Set<SoundOrigin>] = [[], [.system], [.microphone], [.system, .microphone]]
        world = NetworkWorld(seed: seed, viewerLimit: 5, sound: sounds[Int(seed % 4)])
        world.framesPerSecond = 4
    }

    mutating func run() {
        do {
            try act()
            try settle()
            try end()
        } catch {
            faults.append("\(error)")
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func join(secret: [UInt8]? = nil) {
        var conditions = NetworkConditions()
        conditions.oneWay = .microseconds(100 + pick(60_000))
        if pick(3) == 0 { conditions.jitter = .milliseconds(pick(30)) }
        if pick(3) == 0 { conditions.loss = random.unit() * 0.2 }
        if pick(4) == 0 { conditions.duplicate = random.unit() * 0.2 }
        let sound: [SoundCodec] = pick(4) == 0 ? [] : [.opus]
        world.addViewer(conditions, secret: secret, sound: sound).start(world)
    }

    private mutating func act() throws {
        join()
        for _ in 0..<2 + pick(4) {
            // Often during a start, which takes several round trips.
            let gap = pick(3) == 0 ? pick(900) : pick(150)
            try world.run(for: .milliseconds(gap))
            try cause(Incident.allCases[pick(Incident.allCases.count)])
        }
    }

    private mutating func cause(_ incident: Incident) throws {
        let viewer = world.viewers[pick(world.viewers.count)]
        story.append("\(world.now.nanoseconds / 1_000_000) ms: \(incident) \(viewer.number)")
        switch incident {
        case .join: if world.viewers.count < 3, pick(2) == 0 { join() }
        case .guess: if world.viewers.count < 4, pick(2) == 0 { join(secret: [UInt8](repeating: 1, count: 10)) }
        case .stranger: speakOutOfOrder()
        case .replay:
            for bytes in viewer.sent {
                world.tell(.media(bytes, from: PathID(.v4(0xC000_0200 | UInt32(pick(3))), port: 9)))
            }
        case .leave: if !viewer.isGone { viewer.leave(world) }
        case .vanish: if !viewer.isGone { viewer.vanish() }
        case .reset: viewer.reset(world)
        case .outage: try goDown(viewer, for: .milliseconds(pick(800)))
        case .longOutage: if pick(8) == 0 { try goDown(viewer, for: .milliseconds(4000 + pick(5000))) }
        case .newAddress: viewer.conditions.address += 1
        case .moved:
            viewer.conditions.address += 1
            viewer.reset(world)
        case .pause: viewer.setPaused(true, world)
        case .resume: viewer.setPaused(false, world)
        case .mute: viewer.listen(false, world)
        case .listen: viewer.listen(true, world)
        case .needKeyframe: viewer.feed(.keyframeNeeded, world)
        case .press: viewer.press(world)
        case .permit: world.permit(true)
        case .forbid: world.permit(false)
        case .format:
            world.change(
                to: VideoFormat(
                    codec: pick(2) == 0 ? .h264 : .h265, size: PixelSize(width: 64 + pick(9) * 2, height: 64)))
        case .cursor:
            let rgba = (0..<4).map { _ in UInt8(pick(256)) }
            world.show(CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: rgba))
        case .loss: viewer.conditions.loss = random.unit() * 0.5
        case .junkToViewer:
            let junk = (0..<pick(60)).map { _ in UInt8(pick(256)) }
            viewer.receive([0x80, pick(2) == 0 ? 200 : 96] + junk, isControl: pick(2) == 0, world)
        }
        world.drain()
    }

    private mutating func goDown(_ viewer: RoamingViewer, for duration: Duration) throws {
        viewer.conditions.isUp = false
        // During other incidents, unless it is long.
        if duration > .seconds(1) { try world.run(for: duration) }
        world.schedule(after: duration > .seconds(1) ? .zero : duration) { _ in
            if !viewer.hasLeft { viewer.conditions.isUp = true }
        }
        outagesOver = max(outagesOver, world.now + duration)
    }

    /// Opens a connection that sends a viewer's messages out of order.
    private mutating func speakOutOfOrder() {
        let id = ConnectionID(1 << 40 | UInt64(pick(1000)))
        world.tell(.connected(id, address: "10.2.0.\(pick(4))"))
        let words = ["SETUP", "PLAY", "PAUSE", "DESCRIBE", "GET_PARAMETER", "RECORD", "DANCE", "TEARDOWN"]
        for _ in 0..<pick(6) {
            let word = words[pick(words.count)]
            world.tell(.received(id, Array("\(word) rtsps://h/screen/video RTSP/1.0\r\nCSeq: 1\r\n\r\n".utf8)))
        }
        if pick(2) == 0 { world.tell(.received(id, (0..<pick(40)).map { _ in UInt8(pick(256)) })) }
        if pick(2) == 0 { world.tell(.disconnected(id)) }
    }

    /// With the networks up again, every viewer that did not give up plays within bounded time, and knows the current
    /// state.
    private mutating func settle() throws {
        for viewer in world.viewers where !viewer.hasLeft {
            viewer.conditions.isUp = true
            viewer.conditions.loss = 0
            viewer.conditions.duplicate = 0
        }
        if outagesOver > world.now { try world.run(for: outagesOver - world.now) }
        let start = world.now
        while !isSettled, world.now - start < Self.patience { try world.run(for: .milliseconds(300)) }
        // TCP retransmits after 200, 600 and 1400 ms, the first two of which may fall into an outage.
        let informed = world.now
        while !isInformed, world.now - informed < .milliseconds(1200) { try world.run(for: .milliseconds(400)) }
        // A connection to an obsolete address is only detected by a keep-alive, for which few runs have time.
        var mayBeBlind = world.viewers.contains { $0.conditions.address > 0 }
        if mayBeBlind, !isInformed, seed % 8 == 0 {
            try world.run(for: .seconds(35))
            mayBeBlind = false
        }
        for viewer in world.viewers where !viewer.isGone {
            if !viewer.isPlaying {
                faults.append("viewer \(viewer.number) neither plays nor has ended: \(viewer.session?.state as Any)")
            } else if !mayBeBlind, !isInformed(viewer) {
                faults.append(
                    """
                    viewer \(viewer.number) believes it may\(viewer.mayDrive == true ? "" : " not") drive, and has \
                    \(viewer.cursor == world.cursor ? "the" : "another") pointer
                    """)
            }
        }
        try settleSound()
        for viewer in world.viewers { if let error = viewer.over, error.message.isEmpty { faults.append("no reason") } }
        let playing = world.viewers.count { !$0.isGone }
        if world.joined - world.left.count < playing { faults.append("\(world.joined) joined, \(world.left) left") }
        for (name, most) in world.most where most > 5 { faults.append("\(most) \(name)") }
    }

    /// Checks that viewers that want sound receive it, and that nobody else causes captures.
    private mutating func settleSound() throws {
        guard !world.sounds.isEmpty else { return }
        _ = soundFaults()
        let start = world.now
        var found: [String] = []
        // A vanished viewer is removed after 5 s.
        repeat {
            try world.run(for: .milliseconds(400))
            found = soundFaults()
        } while !found.isEmpty && world.now - start < .seconds(8)
        faults += found
    }

    /// Returns the faults in the received sound since the last call.
    private func soundFaults() -> [String] {
        var faults: [String] = []
        var wanted = false
        for viewer in world.viewers {
            let heard = viewer.heard.values.reduce(0) { $0 + $1.packets.count }
            if viewer.heard.values.contains(where: { $0.wrong > 0 || $0.twice > 0 }) {
                faults.append("viewer \(viewer.number) has heard what nobody said, or twice")
            }
            guard viewer.isPlaying, viewer.isKnown else { continue }
            let listens = viewer.listens && !viewer.isPaused && !viewer.sound.isEmpty
            wanted = wanted || listens
            if listens, heard == 0 { faults.append("viewer \(viewer.number) hears nothing") }
            if !listens, heard > 0 { faults.append("viewer \(viewer.number) hears what it does not want") }
        }
        for viewer in world.viewers { viewer.heard = [:] }
        if wanted == world.soundWanted.isEmpty, world.viewers.allSatisfy(\.isKnown) {
            faults.append("sound is wanted: \(wanted), and asked for: \(!world.soundWanted.isEmpty)")
        }
        return faults
    }

    private var isSettled: Bool { world.viewers.allSatisfy { $0.isGone || $0.isPlaying } }
    private var isInformed: Bool { world.viewers.allSatisfy { $0.isGone || isInformed($0) } }

    private func isInformed(_ viewer: RoamingViewer) -> Bool {
        viewer.mayDrive == world.permitted && (viewer.isPaused || viewer.cursor == world.cursor)
    }

    /// Ends all viewers in one way or another, and checks that no state remains.
    private mutating func end() throws {
        let way = pick(4)
        story.append("\(world.now.nanoseconds / 1_000_000) ms: end \(way)")
        switch way {
        case 0: world.stop()
        case 1: for viewer in world.viewers where !viewer.isGone { viewer.leave(world) }
        case 2: for viewer in world.viewers where !viewer.isGone { viewer.vanish() }
        default: for viewer in world.viewers where !viewer.isGone { viewer.conditions.isUp = false }
        }
        // A vanished viewer is removed after 5 s; silent strangers after 20 s.
        try world.run(for: .seconds(way < 2 ? 1 : 6))
        if !world.host.held.values.allSatisfy({ $0 == 0 }) { try world.run(for: .seconds(20)) }
        let left = world.host.held.filter { $0.value > 0 }
        if !left.isEmpty { faults.append("the host still holds \(left)") }
        if world.control.channelCount > 0 { faults.append("\(world.control.channelCount) channels are left") }
        if let deadline = world.host.deadline { faults.append("the host still waits: \(deadline.why)") }
        if let deadline = world.control.deadline { faults.append("control still waits: \(deadline.why)") }
        if world.isWatched { faults.append("the encoder still works") }
        if !world.soundWanted.isEmpty { faults.append("sound is still asked for: \(world.soundWanted)") }
        if world.joined != world.left.count { faults.append("\(world.joined) joined, \(world.left.count) left") }
    }
}
