import HelioAdmission
import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioProtection
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import HelioTransferWire

/// A simulated viewer: the engines, and a check that no frame arrives without its references.
final class ViewerPeer: SimulatedPeer {
    let session: SinkSession
    let pipe: ReliablePipe
    private(set) var control: ViewerControl?
    private(set) var isPlaying = false
    /// The negotiated format, and the last stream terms.
    private(set) var format: VideoFormat?
    private(set) var terms: [StreamTerms] = []
    private(set) var ended: HelioError?
    private(set) var ticket: [UInt8]?
    private(set) var rendezvous: HostRendezvous?
    private(set) var wake: WakeAddresses?
    private(set) var frames = 0
    private(set) var lastIndex: UInt64?
    private(set) var lastFrameAt: Instant?
    private(set) var lastCodec: VideoCodec?
    /// The longest time between two frames.
    private(set) var longestGap = Duration.zero
    /// The times from each frame's capture to its completion.
    private(set) var latencies: [Duration] = []
    /// The number of frames that were incomplete, or whose reference was never delivered.
    private(set) var broken = 0
    /// The number of repair pictures shown in place of lost frames.
    private(set) var repairs = 0
    private(set) var cursors: [CursorShape] = []
    /// The orders to the viewer's clipboard.
    private(set) var clipboard: [ClipboardOrder] = []
    /// The events of file transfers.
    private(set) var files: [FileTraffic] = []
    private(set) var permissions: [Bool] = []
    private(set) var monitors: [(list: [MonitorEntry], selected: String?)] = []
    private(set) var agreements: [SuiteAgreement] = []
    /// The received sound, by origin.
    var heard: [SoundOrigin: HeardSound] = [:]
    /// The user's voice, which is captured on demand.
    var voice = TestSound(.microphone)
    private(set) var voiceWanted: [SoundDemand] = []
    private(set) var voiceRefusals = 0
    private(set) var firstFrameAt: Instant?
    private(set) var transports: [TransportChange] = []
    /// The number of times that input was sent inside the connection while media used UDP.
    private(set) var controlInside = 0
    /// A change of the transport, with its reason and time.
    struct TransportChange {
        var transport: StreamTransport
        var reason: TransportReason
        var at: Instant
    }
    private var datagrams: [[UInt8]] = []
    /// Called with each sent media datagram.
    var tap: (([UInt8]) -> Void)?

    init(
        _ link: ShareLink, _ pipe: ReliablePipe, seed: UInt64 = 2, fingerprint: UInt8 = 9,
        capabilities: StreamCapabilities = StreamCapabilities(), suite: SuiteOptions? = nil,
        transport: TransportPolicy = .automatic, speaks: Bool = false, clipboard: ClipboardTerms? = nil,
        clipboardPlace: String? = nil, files: FileToken? = nil
    ) {
        self.pipe = pipe
        var settings = SinkSession.Settings(capabilities: capabilities, suite: suite, transport: transport)
        settings.speaks = speaks
        settings.clipboard = clipboard
        settings.clipboardPlace = clipboardPlace
        settings.files = files
        session = SinkSession(
            settings, link: link,
            certificateFingerprint: Array(repeating: fingerprint, count: 32),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed), now: .zero)
    }

    func connect(now: Instant) {
        session.handle(.connected, now: now)
        drain(now)
    }

    func send(_ event: InputEvent, now: Instant) {
        control?.handle(.event(event), now: now)
        drain(now)
    }

    func tell(_ input: SinkSession.Input, now: Instant) {
        session.handle(input, now: now)
        drain(now)
    }

    func leave(now: Instant) {
        control?.handle(.leave, now: now)
        session.leave(now: now)
        drain(now)
    }

    /// Turns sound of the host on or off.
    func listen(_ isOn: Bool, now: Instant) {
        session.handle(.sound(isOn), now: now)
        drain(now)
    }

    func setPaused(_ isPaused: Bool, now: Instant) {
        session.handle(isPaused ? .pause : .resume, now: now)
        drain(now)
    }

    func receive(_ datagram: [UInt8], now: Instant) {
        let bytes = Array(datagram.dropFirst())
        if datagram.first == HostPeer.mediaTag {
            session.handle(.media(bytes), now: now)
        } else {
            control?.handle(.datagram(bytes), now: now)
        }
        drain(now)
    }

    func tick(now: Instant) {
        while let item = pipe.nextForViewer(now: now) {
            session.handle(item.bytes.map { .received($0) } ?? .disconnected, now: now)
            drain(now)
        }
        for packet in voice.packets(now: now) {
            session.handle(.voice(packet), now: now)
            drain(now)
        }
        session.tick(now: now)
        control?.tick(now: now)
        drain(now)
    }

    func pollDatagram(now: Instant) -> [UInt8]? { datagrams.isEmpty ? nil : datagrams.removeFirst() }
    var deadline: Deadline? {
        let voice = voice.deadline.map { Deadline(at: $0, why: "voice") }
        return .earliest(.earliest(session.deadline, control?.deadline), .earliest(pipe.viewerDeadline, voice))
    }

    private func drain(_ now: Instant) {
        while let output = session.poll() {
            switch output {
            case .send(let bytes):
                pipe.sendToHost(bytes, now: now)
                session.handle(.written(bytes.count), now: now)
            case .close: pipe.sendToHost(nil, now: now)
            case .openPath: session.handle(.pathOpen, now: now)
            case .media(let bytes):
                tap?(bytes)
                datagrams.append([HostPeer.mediaTag] + bytes)
            case .frame(let bytes): pipe.sendToHost(bytes, now: now)
            case .transfer(let bytes):
                pipe.sendToHost(bytes, now: now)
                session.handle(.transferWritten(bytes.count), now: now)
            case .control(let bytes): control?.handle(.datagram(bytes), now: now)
            case .event(let event): take(event, now)
            }
        }
        while let output = control?.poll() {
            switch output {
            case .datagram(let bytes): datagrams.append([HostPeer.controlTag] + bytes)
            case .inside(let bytes):
                session.handle(.control(bytes), now: now)
                drain(now)
            case .roundTrip(let time): session.handle(.roundTrip(time), now: now)
            case .unheard:
                session.handle(.controlUnheard, now: now)
                drain(now)
            case .cursorMoved, .driver, .controlRequested: break
            }
        }
    }

    private func take(_ event: SinkSession.Event, _ now: Instant) {
        switch event {
        case .playing(let format, let terms, _):
            isPlaying = true
            self.format = format
            control = try? ViewerControl(terms, crypto: OpenSSLCrypto(), now: now)
        case .ended(let error):
            ended = error
            control = nil
        case .hostName: break
        case .rendezvous(let place): rendezvous = place
        case .wake(let addresses): wake = addresses
        case .admitted(let ticket): self.ticket = ticket.bytes
        case .suite(let agreement): agreements.append(agreement)
        case .terms(let terms): self.terms.append(terms)
        case .cursorShape(let shape): cursors.append(shape)
        case .permission(let allowed):
            permissions.append(allowed)
            control?.handle(.permission(allowed), now: now)
        case .monitors(let list, let selected): monitors.append((list, selected))
        case .transport(let transport, let reason):
            transports.append(.init(transport: transport, reason: reason, at: now))
            control?.handle(.insideConnection(transport == .tcp), now: now)
        case .handedOver: break
        case .controlInside:
            controlInside += 1
            control?.handle(.insideConnection(true), now: now)
        case .clipboard(let order): clipboard.append(order)
        case .files(let traffic): files.append(traffic)
        case .part: break
        case .frame(let frame): show(frame, now)
        case .sound(let sound): heard[sound.origin, default: HeardSound()].take(sound, now: now)
        case .voiceWanted(let demand):
            voiceWanted.append(demand)
            voice.set(demand, now: now)
        case .voiceRefused: voiceRefusals += 1
        case .soundClock(let clock): heard[clock.origin, default: HeardSound()].take(clock, now: now)
        }
    }

    private func show(_ frame: ReceivedFrame, _ now: Instant) {
        frames += 1
        if firstFrameAt == nil { firstFrameAt = now }
        guard let index = TestEncoder.index(of: frame) else {
            broken += 1
            return
        }
        if !frame.isKeyframe, lastIndex.map({ $0 + 1 }) != index {
            if let since = TestEncoder.repairsSince(frame), let lastIndex, since <= lastIndex, lastIndex < index {
                repairs += 1
            } else {
                broken += 1
            }
        }
        if let lastFrameAt { longestGap = max(longestGap, now - lastFrameAt) }
        if let captured = frame.sourceTiming?.captured { latencies.append(now - captured) }
        lastIndex = index
        lastCodec = frame.codec
        lastFrameAt = now
    }
}
