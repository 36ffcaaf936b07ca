import CSRT
import HelioBroadcast
import HelioCore
import HelioGround
import HelioLoop
import HelioMPEGTS

/// The work of the sender's thread: executes the engine's outputs with one libsrt socket.
final class SRTSenderLoop {
    private enum Step {
        case idle
        case calling
        case listening
        case open
    }

    /// The interval at which an open connection's state is polled.
    private static let lookInterval = Duration.milliseconds(250)

    private let engine: SharedEngine<SRTBroadcast>
    private let address: SRTAddress
    private let peerTimeout: Duration
    private let wakeup: Wakeup
    private let wait: SRTWait
    private let onEvent: @Sendable (BroadcastEvent) -> Void

    private var lookup: AddressLookup?
    private var socket: SRTSocket?
    private var step = Step.idle
    /// The packets of the current unit that libsrt has not accepted yet.
    private var unsent: ArraySlice<UInt8> = []
    /// True while `wait` watches the socket: during connecting and listening, and while its send buffer is full.
    private var isWatched = false

    init(
        _ engine: SharedEngine<SRTBroadcast>, to address: SRTAddress, peerTimeout: Duration, _ wakeup: Wakeup,
        _ wait: SRTWait, _ onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) {
        self.engine = engine
        self.address = address
        self.peerTimeout = peerTimeout
        self.wakeup = wakeup
        self.wait = wait
        self.onEvent = onEvent
    }

    /// Runs until the broadcast is over.
    func run() {
        while true {
            while let output = engine.poll() {
                switch output {
                case .event(let event): onEvent(event)
                case .link(let command): perform(command)
                }
            }
            if engine.read({ engine, _ in engine.isOver }) { break }
            waitForWork()
            engine.tick(now: MonotonicClock.now)
            look()
        }
        engine.whenWoken(nil)
    }

    /// Waits for an input, an event of the socket, the engine's deadline, or the next poll of an open connection.
    private func waitForWork() {
        var limit = engine.deadline.map { max(.zero, $0.at - MonotonicClock.now) }
        if step == .open { limit = min(limit ?? Self.lookInterval, Self.lookInterval) }
        if isWatched { return wait.wait(atMost: limit) }
        _ = wakeup.wait(until: MonotonicClock.now + (limit ?? .seconds(60)))
        wakeup.take()
    }

    private func report(_ event: SRTLinkEvent) { engine.handle(.link(event), now: MonotonicClock.now) }

    private func perform(_ command: SRTLinkCommand) {
        switch command {
        case .resolve:
            lookup = AddressLookup(address.host, port: address.port, isPassive: address.mode == .listener, wakeup)
        case .call(let place):
            open(.calling, SRT_EPOLL_OUT) { socket throws(SRTSocket.Failure) in try socket.connect(to: place) }
        case .listen(let place):
            open(.listening, SRT_EPOLL_IN) { socket throws(SRTSocket.Failure) in try socket.listen(at: place) }
            if step == .listening { report(.listening) }
        case .send(let packets):
            unsent = packets[...]
            send()
        case .measure(let purpose): if let measured = socket?.measure(purpose) { report(.measured(measured)) }
        case .close: close()
        }
    }

    /// Makes a socket that calls or listens.
    private func open(
        _ step: Step, _ event: SRT_EPOLL_OPT, _ begin: (SRTSocket) throws(SRTSocket.Failure) -> Void
    ) {
        close()
        do throws(SRTSocket.Failure) {
            let socket = try SRTSocket(address, peerTimeout: peerTimeout)
            try begin(socket)
            self.socket = socket
            self.step = step
            watch(event)
        } catch {
            report(.failed(error.code))
        }
    }

    private func close() {
        unwatch()
        (lookup, socket, step, unsent) = (nil, nil, .idle, [])
    }

    private func watch(_ event: SRT_EPOLL_OPT) {
        guard !isWatched, let socket else { return }
        wait.add(socket, event)
        isWatched = true
    }

    private func unwatch() {
        guard isWatched, let socket else { return }
        wait.remove(socket)
        isWatched = false
    }

    /// Checks the lookup and the socket, and reports their events to the engine.
    private func look() {
        if let places = lookup?.addresses {
            lookup = nil
            report(.resolved(places))
        }
        guard let socket else { return }
        let state = socket.state
        switch step {
        case .idle: break
        case .calling:
            switch state {
            case SRTS_CONNECTED: connected(socket)
            case SRTS_OPENED, SRTS_CONNECTING, SRTS_INIT: break
            default: report(.rejected(socket.rejection))
            }
        case .listening:
            if let accepted = socket.accept() {
                connected(accepted)
            } else if state != SRTS_LISTENING {
                report(.disconnected)
            }
        case .open:
            if state == SRTS_CONNECTED { send() } else { report(.disconnected) }
        }
    }

    private func connected(_ socket: SRTSocket) {
        unwatch()
        self.socket = socket
        step = .open
        report(.connected(latency: socket.latency))
    }

    /// Sends the rest of a unit, seven packets per message, until libsrt's send buffer is full.
    private func send() {
        guard let socket, !unsent.isEmpty else { return }
        while !unsent.isEmpty {
            let message = unsent.prefix(TransportStream.messageSize)
            switch socket.send(message) {
            case .whole: unsent = unsent.dropFirst(message.count)
            case .full: return watch(SRT_EPOLL_OUT)
            case .failed: return report(.disconnected)
            }
        }
        unwatch()
        report(.sent)
    }
}
