import CSRT
import HelioCore
import HelioLoop
import HelioSRTLink

/// The sender's thread: connects, sends, and begins again.
struct SRTSenderLoop {
    /// Why a connection, or the try to have one, is over.
    private enum End {
        case broken(SRTBreak)
        case refused(SRTRefusal)
        case unusable(Int)
        case closed
    }

    private enum Attempt: ~Copyable {
        case connected(SRTSocket)
        case failed(End)
    }

    /// How often the connection is looked at while there is nothing to send.
    private static let lookInterval = Duration.milliseconds(250)
    private static let statisticsInterval = Duration.seconds(1)
    /// How often it is looked whether what was sent has been acknowledged, of which no event tells.
    private static let drainInterval = Duration.milliseconds(10)
    private static let messageSize = 1316

    private let core: SRTSenderCore
    private let address: SRTAddress
    private let options: SRTOptions
    private let onEvent: @Sendable (SRTEvent) -> Void

    init(
        _ core: SRTSenderCore, to address: SRTAddress, _ options: SRTOptions,
        _ onEvent: @escaping @Sendable (SRTEvent) -> Void
    ) {
        self.core = core
        self.address = address
        self.options = options
        self.onEvent = onEvent
    }

    /// Runs to the end.
    func run() {
        var retry = SRTRetry()
        while true {
            let end: End
            switch connect() {
            case .connected(let socket):
                retry.succeed()
                end = send(by: socket)
            case .failed(let failure): end = failure
            }
            switch end {
            case .closed: return finish(.closed)
            case .refused(let refusal): return finish(.refused(refusal))
            case .unusable(let code): return finish(.unusable(code))
            case .broken(let reason):
                core.disconnect(.lostConnection)
                onEvent(.state(.broken(reason)))
            }
            let until = MonotonicClock.now + retry.next()
            while !core.isClosing, MonotonicClock.now < until { core.pipe.wait(atMost: until - MonotonicClock.now) }
            if core.isClosing { return finish(.closed) }
        }
    }

    private func finish(_ state: SRTState) {
        core.disconnect(.ended)
        onEvent(.state(state))
    }

    // MARK: - Connecting

    private func connect() -> Attempt {
        if core.isClosing { return .failed(.closed) }
        let isListener = address.mode == .listener
        onEvent(.state(isListener ? .listening : .connecting))
        let places = SocketAddresses.resolve(address.host, port: address.port, isPassive: isListener)
        guard !places.isEmpty else { return .failed(.broken(.unresolved)) }
        if isListener { return listen(at: places[0]) }
        var last = End.broken(.unreachable)
        for place in places {
            switch call(place) {
            case .connected(let socket): return .connected(socket)
            case .failed(.broken(let reason)): last = .broken(reason)
            case .failed(let end): return .failed(end)
            }
        }
        return .failed(last)
    }

    private func call(_ place: [UInt8]) -> Attempt {
        do throws(SRTSocket.Failure) {
            let socket = try SRTSocket(address, peerTimeout: options.peerTimeout)
            try socket.connect(to: place)
            if let end = waitUntilConnected(socket) { return .failed(end) }
            return .connected(socket)
        } catch {
            return .failed(Self.end(error.code))
        }
    }

    /// `nil` once it is connected.
    private func waitUntilConnected(_ socket: borrowing SRTSocket) -> End? {
        guard let wait = SRTWait(core.pipe) else { return .broken(.failed(SRTLibrary.lastError)) }
        wait.add(socket, SRT_EPOLL_OUT)
        // The library ends it in time; that it does is not relied on.
        let until = MonotonicClock.now + address.connectTimeout + .seconds(1)
        while true {
            switch socket.state {
            case SRTS_CONNECTED: return nil
            case SRTS_OPENED, SRTS_CONNECTING, SRTS_INIT: break
            default: return Self.end(rejection: socket.rejection)
            }
            if core.isClosing { return .closed }
            let left = until - MonotonicClock.now
            guard left > .zero else { return .broken(.unreachable) }
            wait.wait(atMost: left)
        }
    }

    private func listen(at place: [UInt8]) -> Attempt {
        do throws(SRTSocket.Failure) {
            let listener = try SRTSocket(address, peerTimeout: options.peerTimeout)
            guard let wait = SRTWait(core.pipe) else { return .failed(.broken(.failed(SRTLibrary.lastError))) }
            try listener.listen(at: place)
            wait.add(listener, SRT_EPOLL_IN)
            while true {
                if let socket = listener.accept() { return .connected(socket) }
                if core.isClosing { return .failed(.closed) }
                guard listener.state == SRTS_LISTENING else { return .failed(.broken(.lost)) }
                wait.wait(atMost: nil)
            }
        } catch {
            return .failed(Self.end(error.code))
        }
    }

    private static func end(rejection code: Int) -> End {
        if let refusal = SRTRefusal(rejection: code) { return .refused(refusal) }
        return .broken(code == Int(SRT_REJ_TIMEOUT.rawValue) || code == 0 ? .unreachable : .busy(code))
    }

    /// What an error of setting up means: with other settings or another port it would go.
    private static func end(_ code: Int) -> End {
        // MJ_NOTSUP: a setting, or a port that somebody has.
        (5000..<6000).contains(code) ? .unusable(code) : .broken(.failed(code))
    }

    // MARK: - Sending

    private func send(by socket: consuming SRTSocket) -> End {
        let latency = socket.latency
        guard let wait = SRTWait(core.pipe) else { return .broken(.failed(SRTLibrary.lastError)) }
        wait.add(socket, SRT_EPOLL_OUT)
        let before = core.statistics
        core.updateStatistics {
            $0.connections += 1
            $0.latency = latency
        }
        core.connect()
        onEvent(.state(.connected(latency: latency)))
        onEvent(.wantsKeyframe)

        // Beyond that, what is sent comes too late: it waits where whole groups are dropped.
        let allowance = max(latency * 2, .milliseconds(250))
        var group: SRTMessageGroup?
        var offset = 0
        var measured = MonotonicClock.now
        var closesAt: Instant?
        while true {
            let now = MonotonicClock.now
            guard socket.state == SRTS_CONNECTED else { return .broken(.lost) }
            if now - measured >= Self.statisticsInterval {
                measured = now
                measure(socket, since: before, isInterval: true)
            }
            if closesAt == nil, core.isClosing { closesAt = now + options.endTimeout }
            if let closesAt, now >= closesAt { return .closed }
            if group == nil {
                group = core.takeFirst(now: now)
                offset = 0
            }
            if core.takeWish() { onEvent(.wantsKeyframe) }
            guard let current = group else {
                if let closesAt {
                    drain(socket, latency: latency, until: closesAt)
                    measure(socket, since: before, isInterval: false)
                    return .closed
                }
                core.pipe.wait(atMost: Self.lookInterval)
                continue
            }
            if offset == 0, let state = socket.measure(isInterval: false), .milliseconds(state.msSndBuf) > allowance {
                core.pipe.wait(atMost: Self.drainInterval)
                continue
            }
            switch Self.send(current, from: &offset, by: socket) {
            case .whole: group = nil
            case .full: wait.wait(atMost: Self.lookInterval)
            case .failed: return .broken(.lost)
            }
        }
    }

    /// Sends what is left of a group, seven packets a message.
    private static func send(
        _ group: SRTMessageGroup, from offset: inout Int, by socket: borrowing SRTSocket
    ) -> SRTSocket.Sent {
        while offset < group.bytes.count {
            let end = min(offset + messageSize, group.bytes.count)
            let sent = socket.send(group.bytes[offset..<end])
            guard case .whole = sent else { return sent }
            offset = end
        }
        return .whole
    }

    /// Waits until all was acknowledged, and then for as long as the other end keeps it before it gives it on: it throws
    /// away what it has when it hears of the end.
    private func drain(_ socket: borrowing SRTSocket, latency: Duration, until: Instant) {
        var until = until
        var isAcknowledged = false
        while MonotonicClock.now < until, socket.state == SRTS_CONNECTED {
            if !isAcknowledged, socket.unacknowledged == 0 {
                isAcknowledged = true
                until = min(until, MonotonicClock.now + latency + .milliseconds(50))
            }
            core.pipe.wait(atMost: isAcknowledged ? until - MonotonicClock.now : Self.drainInterval)
        }
    }

    private func measure(_ socket: borrowing SRTSocket, since before: SRTStatistics, isInterval: Bool) {
        guard let state = socket.measure(isInterval: isInterval) else { return }
        core.updateStatistics { statistics in
            statistics.roundTrip = .nanoseconds(Int64(state.msRTT * 1e6))
            if isInterval { statistics.rate = state.mbpsSendRate * 1e6 }
            statistics.unacknowledged = .milliseconds(state.msSndBuf)
            statistics.sentBytes = before.sentBytes + Int64(clamping: state.byteSentTotal)
            statistics.sentPackets = before.sentPackets + state.pktSentTotal
            statistics.retransmittedPackets = before.retransmittedPackets + Int64(state.pktRetransTotal)
            statistics.lostPackets = before.lostPackets + Int64(state.pktSndLossTotal)
            statistics.latePackets = before.latePackets + Int64(state.pktSndDropTotal)
        }
    }
}
