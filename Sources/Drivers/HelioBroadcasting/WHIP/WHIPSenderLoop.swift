import HelioBroadcast
import HelioCore
import HelioLoop
import HelioOpenSSL
import HelioPeerPort
import NIOCore

/// The sender on its event loop, which executes the engine's outputs.
final class WHIPSenderLoop {
    private static let measureInterval = TimeAmount.milliseconds(500)
    /// The polling interval for room in the session, of which the peer reports no event.
    private static let roomInterval = Duration.milliseconds(10)

    private let core: WHIPSenderCore
    private let address: WHIPAddress
    private let token: StreamSecret?
    private let tracks: BroadcastTracks
    private let options: WHIPOptions
    private let port: PeerPort
    private let certificates: OpenSSLDTLS
    private let caller: HTTPCaller
    private let loop: any EventLoop
    private let ended: EventLoopPromise<Void>
    private let onEvent: @Sendable (BroadcastEvent) -> Void

    private var session: WHIPSession?
    private var servers: [WHIPServer] = []
    private var timer: (at: Instant, task: Scheduled<Void>)?
    private var measuring: RepeatedTask?
    private var isFinal = false
    private var isTurning = false

    init(
        _ core: WHIPSenderCore, to address: WHIPAddress, token: StreamSecret?, _ tracks: BroadcastTracks,
        _ options: WHIPOptions, port: PeerPort, certificates: OpenSSLDTLS, on loop: any EventLoop,
        ended: EventLoopPromise<Void>, _ onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) {
        self.core = core
        self.address = address
        self.token = token
        self.tracks = tracks
        self.options = options
        self.port = port
        self.certificates = certificates
        self.loop = loop
        self.ended = ended
        self.onEvent = onEvent
        caller = HTTPCaller(address, on: loop)
        if address.endpoint.isSecure { try caller.prepare() }
    }

    /// Starts; the loop's callbacks keep this object alive until its end.
    func start() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        core.whenWoken { loop.execute { bound.value.turn() } }
        measuring = loop.scheduleRepeatedTask(initialDelay: Self.measureInterval, delay: Self.measureInterval) { _ in
            bound.value.measure()
        }
        turn()
    }

    /// Executes all outputs, and sends while there is room.
    private func turn() {
        guard !isTurning else { return }
        isTurning = true
        repeat {
            core.beginTurn()
            while let output = core.poll() { perform(output) }
        } while send()
        isTurning = false
        arm()
    }

    private func perform(_ output: Broadcast.Output) {
        switch output {
        case .connect: connect()
        case .disconnect:
            // There is no session if it has just ended by itself, which was reported.
            session?.leave(draining: core.isEnding)
        case .event(let event):
            if case .state(let state) = event, state.isFinal { isFinal = true }
            onEvent(event)
            if isFinal { finishIfOver() }
        }
    }

    private func connect() {
        let session = WHIPSession(
            address, token: token, tracks, options, port: port, certificates: certificates, caller: caller, on: loop
        ) { [weak self] in self?.take($0) }
        self.session = session
        session.start(servers)
    }

    private func take(_ event: WHIPSession.Event) {
        switch event {
        case .connected: core.handle(.connected)
        case .keyframeNeeded: core.handle(.wantsKeyframe)
        case .servers(let servers): self.servers = servers
        case .over(let failure):
            session = nil
            core.setLink(WHIPStatistics())
            core.handle(.disconnected(failure))
            if isFinal { finishIfOver() }
        }
    }

    /// Sends the units for which the session has room. True if one was sent, so that the engine may have more outputs.
    private func send() -> Bool {
        guard let session else { return false }
        var isChanged = false
        while session.hasRoom, let unit = core.next() {
            if !session.send(unit) { core.handle(.unsuitable) }
            isChanged = true
        }
        return isChanged
    }

    private func measure() {
        guard let session, let measurement = session.measurement else { return }
        core.setLink(session.statistics)
        core.handle(.measured(measurement))
    }

    /// Sets the timer; a timer that fires too early is harmless.
    private func arm() {
        guard !isFinal else { return }
        var at = core.deadline?.at
        if let session, session.isLive, !session.hasRoom {
            let look = MonotonicClock.now + Self.roomInterval
            at = min(at ?? look, look)
        }
        guard let at else { return }
        if let timer, timer.at <= at { return }
        timer?.task.cancel()
        let bound = NIOLoopBound(self, eventLoop: loop)
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(0, at.nanoseconds)))
        timer = (
            at,
            loop.scheduleTask(deadline: deadline) {
                bound.value.timer = nil
                bound.value.turn()
            }
        )
    }

    /// Ends, once the session is over and the server was notified.
    private func finishIfOver() {
        guard session == nil else { return }
        timer?.task.cancel()
        timer = nil
        measuring?.cancel()
        measuring = nil
        core.whenWoken(nil)
        caller.cancel()
        let port = port
        let ended = ended
        Task {
            await port.close()
            ended.succeed()
        }
    }
}
