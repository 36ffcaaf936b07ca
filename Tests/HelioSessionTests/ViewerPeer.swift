import HelioControl
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSession
import HelioSimulation

/// A viewer in a simulation: the engine, and a check that no frame comes without the ones it refers to.
final class ViewerPeer: SimulatedPeer {
    let session: SinkSession
    let pipe: ReliablePipe
    private(set) var isPlaying = false
    private(set) var ended: HelioError?
    private(set) var ticket: [UInt8]?
    private(set) var frames = 0
    private(set) var lastIndex: UInt64?
    private(set) var lastFrameAt: Instant?
    /// The longest time between two frames.
    private(set) var longestGap = Duration.zero
    /// The greatest time from capture to a whole frame.
    private(set) var latencies: [Duration] = []
    /// Frames that were not whole, or whose reference was never given out.
    private(set) var broken = 0
    private(set) var cursors: [CursorShape] = []
    private var datagrams: [[UInt8]] = []

    init(_ link: ShareLink, _ pipe: ReliablePipe, seed: UInt64 = 2, fingerprint: UInt8 = 9) {
        self.pipe = pipe
        session = SinkSession(
            .init(), link: link, certificateFingerprint: Array(repeating: fingerprint, count: 32),
            crypto: OpenSSLCrypto(), random: SeededGenerator(seed: seed), now: .zero)
    }

    func connect(now: Instant) {
        session.handle(.connected, now: now)
        drain(now)
    }

    func send(_ event: InputEvent, now: Instant) {
        session.handle(.input(event), now: now)
        drain(now)
    }

    func leave(now: Instant) {
        session.leave(now: now)
        drain(now)
    }

    func receive(_ datagram: [UInt8], now: Instant) {
        let bytes = Array(datagram.dropFirst())
        session.handle(datagram.first == HostPeer.mediaTag ? .media(bytes) : .control(bytes), now: now)
        drain(now)
    }

    func tick(now: Instant) {
        while let item = pipe.nextForViewer(now: now) {
            session.handle(item.bytes.map { .received($0) } ?? .disconnected, now: now)
            drain(now)
        }
        session.tick(now: now)
        drain(now)
    }

    func pollDatagram(now: Instant) -> [UInt8]? { datagrams.isEmpty ? nil : datagrams.removeFirst() }
    var deadline: Deadline? { .earliest(session.deadline, pipe.viewerDeadline) }

    private func drain(_ now: Instant) {
        while let output = session.poll() {
            switch output {
            case .send(let bytes): pipe.sendToHost(bytes, now: now)
            case .close: pipe.sendToHost(nil, now: now)
            case .openPaths:
                session.handle(.pathsOpen, now: now)
            case .media(let bytes): datagrams.append([HostPeer.mediaTag] + bytes)
            case .control(let bytes): datagrams.append([HostPeer.controlTag] + bytes)
            case .event(let event): take(event, now)
            }
        }
    }

    private func take(_ event: SinkSession.Event, _ now: Instant) {
        switch event {
        case .playing: isPlaying = true
        case .ended(let error): ended = error
        case .admitted(let ticket): self.ticket = ticket.bytes
        case .cursorShape(let shape): cursors.append(shape)
        case .cursorMoved: break
        case .frame(let frame): show(frame, now)
        }
    }

    private func show(_ frame: ReceivedFrame, _ now: Instant) {
        frames += 1
        guard let index = TestEncoder.index(of: frame) else {
            broken += 1
            return
        }
        if !frame.isKeyframe, lastIndex.map({ $0 + 1 }) != index { broken += 1 }
        if let lastFrameAt { longestGap = max(longestGap, now - lastFrameAt) }
        if let captured = frame.sourceTiming?.captured { latencies.append(now - captured) }
        lastIndex = index
        lastFrameAt = now
    }
}
