import HelioAdmission
import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioPlayout
import HelioProtection
import HelioRemote
import HelioSession

/// A viewer that reconnects by itself like `Viewer` and `MirrorSink`: successive sessions, each with its own connection
/// and sockets.
final class RoamingViewer {
    private static let answerTime = Duration.seconds(5)

    let number: Int
    var conditions: NetworkConditions
    private(set) var session: SinkSession?
    private(set) var control: ViewerControl?
    /// The error with which it gave up; `nil` while it continues or before it started.
    private(set) var over: HelioError?
    private(set) var hasLeft = false
    private(set) var connection: NetworkConnection?
    private(set) var hasPlayed = false
    private(set) var isPaused = false
    /// The accepted sound codecs, and whether its user wants sound.
    let sound: [SoundCodec]
    private(set) var listens = true
    var heard: [SoundOrigin: HeardSound] = [:]
    /// True if received sound is played.
    var hasLoudspeakers = false
    private(set) var loudspeakers: [SoundOrigin: Loudspeaker] = [:]
    private(set) var transport = StreamTransport.udp
    private(set) var sessions: UInt64 = 0
    private(set) var losses = 0
    private(set) var began: Instant?
    private(set) var frames = 0
    /// The arrival time of the last frame.
    private(set) var lastFrame: Instant?
    /// The viewer's last known state.
    private(set) var mayDrive: Bool?
    private(set) var cursor: CursorShape?
    /// All datagrams sent; an eavesdropper may replay them.
    private(set) var sent: [[UInt8]] = []

    private var link: ShareLink
    private var ticket: [UInt8]?
    private var plan = Reconnection.retry
    private var seed: UInt64

    init(_ number: Int, _ conditions: NetworkConditions, link: ShareLink, sound: [SoundCodec] = [], seed: UInt64) {
        self.number = number
        self.sound = sound
        self.conditions = conditions
        self.link = link
        self.seed = seed
    }

    /// The viewer's path at the host: the current session's sockets at the current address.
    var path: PathID {
        PathID(place(at: conditions.address), port: UInt16(truncatingIfNeeded: sessions + 1))
    }
    /// A distinct IP address for each address number.
    func place(at address: UInt64) -> IPAddress {
        .v4(0x0A00_0000 | UInt32(number) << 16 | UInt32(truncatingIfNeeded: address))
    }
    var isPlaying: Bool { session?.state == .playing }
    /// True if the host must know the viewer's wishes: the connection uses the current address.
    var isKnown: Bool { connection.map { $0.address == conditions.address } ?? true }
    /// True if it is neither in a session nor about to start one.
    var isGone: Bool { hasLeft || over != nil }

    // MARK: Sessions

    func start(_ world: NetworkWorld) {
        began = world.now
        let number = sessions
        // TLS and everything before it have a limit of their own.
        world.schedule(after: Reconnection.connectTime + Self.answerTime) { [self] world in
            guard sessions == number, session == nil, !isGone else { return }
            lost(HelioError(.unreachable, "The host does not answer."), world)
        }
        world.connect(self) { [self] made in
            guard sessions == number, !isGone else { return }
            guard let made else { return lost(HelioError(.unreachable, "The host can't be reached."), world) }
            connection = made
            made.send(.hello, toHost: true, world)
        }
    }

    func heard(_ segment: NetworkWorld.Segment, on from: NetworkConnection, _ world: NetworkWorld) {
        guard from === connection else { return }
        switch segment {
        case .hello:
            sessions += 1
            seed &+= 1
            session = SinkSession(
                .init(capabilities: StreamCapabilities(sound: sound)), link: link,
                certificateFingerprint: NetworkWorld.fingerprint,
                crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed), now: world.now)
            feed(.connected, world)
        case .bytes(let bytes): feed(.received(bytes), world)
        case .end:
            if session == nil { return lost(HelioError(.unreachable, "The host closed the connection."), world) }
            feed(.disconnected, world)
        }
    }

    /// The network reports that the connection is reset.
    func reset(_ world: NetworkWorld) {
        guard let old = connection else { return }
        world.lose(old)
        heard(.end, on: old, world)
    }

    func feed(_ input: SinkSession.Input, _ world: NetworkWorld) {
        session?.handle(input, now: world.now)
        drain(world)
    }

    func setPaused(_ wish: Bool, _ world: NetworkWorld) {
        isPaused = wish
        feed(wish ? .pause : .resume, world)
    }

    func listen(_ wish: Bool, _ world: NetworkWorld) {
        listens = wish
        feed(.sound(wish), world)
    }

    func press(_ world: NetworkWorld) {
        control?.handle(.event(.key(usage: 4, modifiers: [], isDown: true)), now: world.now)
        drain(world)
    }

    func leave(_ world: NetworkWorld) {
        control?.handle(.leave, now: world.now)
        session?.leave(now: world.now)
        drain(world)
        hasLeft = true
        if session == nil { connection?.send(.end, toHost: true, world) }
        drop()
    }

    /// The machine disappears without a goodbye.
    func vanish() {
        conditions.isUp = false
        hasLeft = true
        drop()
    }

    private func drop() {
        session = nil
        control = nil
        connection = nil
    }

    private func lost(_ error: HelioError, _ world: NetworkWorld) {
        connection?.send(.end, toHost: true, world)
        drop()
        losses += 1
        // State of the previous session does not carry over to the next.
        sessions += 1
        guard error.code == .unreachable, hasPlayed, let ticket, let next = plan.failed(now: world.now) else {
            over = error
            return
        }
        link.secret = ticket
        world.schedule(after: next - world.now) { [self] world in if !isGone { start(world) } }
    }

    // MARK: Engines

    var deadline: Instant? {
        let engines = [session?.deadline?.at, control?.deadline?.at].compactMap { $0 }
        return (engines + loudspeakers.values.map(\.nextRender)).min()
    }

    func tick(_ world: NetworkWorld) {
        guard let deadline, deadline <= world.now else { return }
        for speaker in loudspeakers.values { speaker.render(now: world.now) }
        session?.tick(now: world.now)
        control?.tick(now: world.now)
        drain(world)
    }

    func receive(_ bytes: [UInt8], isControl: Bool, _ world: NetworkWorld) {
        if isControl {
            control?.handle(.datagram(bytes), now: world.now)
        } else {
            session?.handle(.media(bytes), now: world.now)
        }
        drain(world)
    }

    private func drain(_ world: NetworkWorld) {
        while let output = session?.poll() {
            switch output {
            case .send(let bytes): connection?.send(.bytes(bytes), toHost: true, world)
            case .close: connection?.send(.end, toHost: true, world)
            case .openPath: session?.handle(.pathOpen, now: world.now)
            case .media(let bytes): send(bytes, isControl: false, world)
            case .frame(let bytes), .transfer(let bytes): connection?.send(.bytes(bytes), toHost: true, world)
            case .control(let bytes): control?.handle(.datagram(bytes), now: world.now)
            case .event(let event): take(event, world)
            }
        }
        while let output = control?.poll() {
            switch output {
            case .datagram(let bytes): send(bytes, isControl: true, world)
            case .inside(let bytes): feed(.control(bytes), world)
            case .roundTrip(let time): session?.handle(.roundTrip(time), now: world.now)
            case .unheard: feed(.controlUnheard, world)
            case .cursorMoved, .driver, .controlRequested: break
            }
        }
    }

    private func send(_ bytes: [UInt8], isControl: Bool, _ world: NetworkWorld) {
        if !isControl, sent.count < 8 { sent.append(bytes) }
        world.send(bytes, from: self, isControl: isControl)
    }

    private func loudspeaker(_ origin: SoundOrigin, _ world: NetworkWorld) -> Loudspeaker? {
        guard hasLoudspeakers else { return nil }
        if loudspeakers[origin] == nil { loudspeakers[origin] = Loudspeaker(now: world.now) }
        return loudspeakers[origin]
    }

    private func take(_ event: SinkSession.Event, _ world: NetworkWorld) {
        switch event {
        case .admitted(let ticket): self.ticket = ticket.bytes
        case .playing(_, let terms, _):
            hasPlayed = true
            plan.succeeded()
            mayDrive = terms.allowsControl
            control = try? ViewerControl(terms, crypto: OpenSSLCrypto(), now: world.now)
            if isPaused { session?.handle(.pause, now: world.now) }
            session?.handle(.sound(listens), now: world.now)
            heard = [:]
            loudspeakers = [:]
        case .permission(let allowed):
            mayDrive = allowed
            control?.handle(.permission(allowed), now: world.now)
        case .terms: break
        case .cursorShape(let shape): cursor = shape
        case .frame:
            frames += 1
            lastFrame = world.now
        case .sound(let packet):
            heard[packet.origin, default: HeardSound()].take(packet, now: world.now)
            loudspeaker(packet.origin, world)?.playout.handle(packet, now: world.now)
        case .soundClock(let clock):
            heard[clock.origin, default: HeardSound()].take(clock, now: world.now)
            loudspeaker(clock.origin, world)?.playout.handle(clock)
        case .hostName, .rendezvous, .wake, .suite, .monitors, .voiceWanted, .voiceRefused, .part, .clipboard, .files:
            break
        case .handedOver: break
        case .controlInside: control?.handle(.insideConnection(true), now: world.now)
        case .transport(let transport, _):
            self.transport = transport
            control?.handle(.insideConnection(transport == .tcp), now: world.now)
        case .ended(let error): lost(error, world)
        }
    }
}
