import CSRT
import HelioBroadcast
import HelioCore
import HelioGround
import HelioMPEGTS
import HelioSRTLink

/// The sender's thread, which executes the engine's outputs.
final class SRTSenderLoop {
    private enum Attempt: ~Copyable {
        case connected(SRTSocket)
        case failed(SRTFailure)
    }

    private enum Order {
        case connect
        case disconnect
    }

    /// The polling interval of the connection while there is nothing to send.
    private static let lookInterval = Duration.milliseconds(250)
    private static let statisticsInterval = Duration.seconds(1)
    /// The polling interval for acknowledgements, which no event reports.
    private static let drainInterval = Duration.milliseconds(10)

    private let core: SRTSenderCore
    private let address: SRTAddress
    private let tracks: BroadcastTracks
    private let options: SRTOptions
    private let onEvent: @Sendable (BroadcastEvent) -> Void
    /// True once listening at the port has succeeded: a program that has taken the port since may release it again.
    private var hasListened = false

    init(
        _ core: SRTSenderCore, to address: SRTAddress, _ tracks: BroadcastTracks, _ options: SRTOptions,
        _ onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) {
        self.core = core
        self.address = address
        self.tracks = tracks
        self.options = options
        self.onEvent = onEvent
    }

    /// Runs until the broadcast is over.
    func run() {
        while true {
            switch obey() {
            case .connect: core.handle(.disconnected(serve().failure))
            // The connection has just ended by itself.
            case .disconnect: core.handle(.disconnected(SRTFailure.lost.failure))
            case nil:
                if core.isOver { return }
                core.wait()
            }
        }
    }

    /// Reports the engine's events, up to its next order.
    private func obey() -> Order? {
        while let output = core.poll() {
            switch output {
            case .event(let event): onEvent(event)
            case .connect: return .connect
            case .disconnect: return .disconnect
            }
        }
        return nil
    }

    /// True if the engine orders the connection to end.
    private var isToLeave: Bool { obey() == .disconnect }

    // MARK: - Connecting

    /// Connects and sends until the connection ends; returns the reason.
    private func serve() -> SRTFailure {
        let isListener = address.mode == .listener
        let lookup = AddressLookup(address.host, port: address.port, isPassive: isListener, core.wakeup)
        while lookup.addresses == nil {
            if isToLeave { return .lost }
            core.wait()
        }
        guard let places = lookup.addresses, let first = places.first else { return .unresolved }
        if isListener { return serve(listen(at: first)) }
        var last = SRTFailure.unreachable
        for place in places {
            switch call(place) {
            case .connected(let socket): return send(by: socket)
            case .failed(let failure):
                if failure.failure.isFinal || failure == .lost { return failure }
                last = failure
            }
        }
        return last
    }

    private func serve(_ attempt: consuming Attempt) -> SRTFailure {
        switch consume attempt {
        case .connected(let socket): send(by: socket)
        case .failed(let failure): failure
        }
    }

    private func call(_ place: [UInt8]) -> Attempt {
        do throws(SRTSocket.Failure) {
            let socket = try SRTSocket(address, peerTimeout: options.peerTimeout)
            try socket.connect(to: place)
            if let failure = waitUntilConnected(socket) { return .failed(failure) }
            return .connected(socket)
        } catch {
            return .failed(failure(error.code))
        }
    }

    /// Waits until the socket is connected; returns the failure, or `nil`.
    private func waitUntilConnected(_ socket: borrowing SRTSocket) -> SRTFailure? {
        guard let wait = SRTWait(core.wakeup) else { return .failed(SRTLibrary.lastError) }
        wait.add(socket, SRT_EPOLL_OUT)
        // libsrt has a time-out of its own, which is not relied on.
        let until = MonotonicClock.now + address.connectTimeout + .seconds(1)
        while true {
            switch socket.state {
            case SRTS_CONNECTED: return nil
            case SRTS_OPENED, SRTS_CONNECTING, SRTS_INIT: break
            default: return SRTFailure(rejection: socket.rejection)
            }
            if isToLeave { return .lost }
            let left = until - MonotonicClock.now
            guard left > .zero else { return .unreachable }
            wait.wait(atMost: left)
        }
    }

    private func listen(at place: [UInt8]) -> Attempt {
        do throws(SRTSocket.Failure) {
            let listener = try SRTSocket(address, peerTimeout: options.peerTimeout)
            guard let wait = SRTWait(core.wakeup) else { return .failed(.failed(SRTLibrary.lastError)) }
            try listener.listen(at: place)
            hasListened = true
            wait.add(listener, SRT_EPOLL_IN)
            while true {
                if let socket = listener.accept() { return .connected(socket) }
                if isToLeave { return .failed(.lost) }
                guard listener.state == SRTS_LISTENING else { return .failed(.lost) }
                wait.wait(atMost: nil)
            }
        } catch {
            return .failed(failure(error.code))
        }
    }

    /// Classifies an error of connecting or listening: `unusable` means that another attempt is useless without other
    /// settings, or another port.
    private func failure(_ code: Int) -> SRTFailure {
        // MJ_NOTSUP: a bad setting, or a port in use.
        (5000..<6000).contains(code) && !hasListened ? .unusable(code) : .failed(code)
    }

    // MARK: - Sending

    private func send(by socket: consuming SRTSocket) -> SRTFailure {
        let latency = socket.latency
        guard let wait = SRTWait(core.wakeup), var multiplexer = try? SRTMultiplexer(tracks) else {
            return .failed(SRTLibrary.lastError)
        }
        wait.add(socket, SRT_EPOLL_OUT)
        let before = core.linkStatistics
        core.updateLink { $0.latency = latency }
        core.handle(.connected)

        // With more in flight, data would arrive too late: it waits in the engine, which drops whole groups.
        let allowance = max(latency * 2, .milliseconds(250))
        var packets: [UInt8] = []
        var offset = 0
        var measured = MonotonicClock.now
        var isLeaving = false
        while true {
            guard socket.state == SRTS_CONNECTED else { return .lost }
            let now = MonotonicClock.now
            if now - measured >= Self.statisticsInterval {
                measured = now
                measure(socket, since: before, isInterval: true)
            }
            isLeaving = isLeaving || isToLeave
            if isLeaving, !core.isEnding { return .lost }
            if offset == packets.count {
                (packets, offset) = ([], 0)
                if isLeaving {
                    drain(socket, latency: latency)
                    measure(socket, since: before, isInterval: false)
                    return .lost
                }
                if let state = socket.measure(isInterval: false), .milliseconds(state.msSndBuf) > allowance {
                    core.wait(atMost: Self.drainInterval)
                    continue
                }
                guard let unit = core.next() else {
                    core.wait(atMost: Self.lookInterval)
                    continue
                }
                guard let made = multiplexer.packets(of: unit) else {
                    core.handle(.unsuitable)
                    continue
                }
                packets = made
            }
            switch Self.send(packets, from: &offset, by: socket) {
            case .whole: break
            case .full:
                if isLeaving, core.isOver { return .lost }
                wait.wait(atMost: Self.lookInterval)
            case .failed: return .lost
            }
        }
    }

    /// Sends the rest of a unit, seven packets per message.
    private static func send(
        _ packets: [UInt8], from offset: inout Int, by socket: borrowing SRTSocket
    ) -> SRTSocket.Sent {
        while offset < packets.count {
            let end = min(offset + TransportStream.messageSize, packets.count)
            let sent = socket.send(packets[offset..<end])
            guard case .whole = sent else { return sent }
            offset = end
        }
        return .whole
    }

    /// Waits until all data is acknowledged, and then for the peer's latency: at the connection's end, the peer
    /// discards the data that it still holds.
    private func drain(_ socket: borrowing SRTSocket, latency: Duration) {
        var until = MonotonicClock.now + options.broadcast.endTimeout
        var isAcknowledged = false
        while MonotonicClock.now < until, socket.state == SRTS_CONNECTED {
            if !isAcknowledged, socket.unacknowledged == 0 {
                isAcknowledged = true
                until = min(until, MonotonicClock.now + latency + .milliseconds(50))
            }
            core.waitForWake(atMost: isAcknowledged ? until - MonotonicClock.now : Self.drainInterval)
        }
    }

    private func measure(_ socket: borrowing SRTSocket, since before: SRTStatistics, isInterval: Bool) {
        guard let state = socket.measure(isInterval: isInterval) else { return }
        core.updateLink { statistics in
            if isInterval { statistics.rate = state.mbpsSendRate * 1e6 }
            statistics.unacknowledged = .milliseconds(state.msSndBuf)
            statistics.sentPackets = before.sentPackets + state.pktSentTotal
            statistics.retransmittedPackets = before.retransmittedPackets + Int64(state.pktRetransTotal)
            statistics.lostPackets = before.lostPackets + Int64(state.pktSndLossTotal)
            statistics.latePackets = before.latePackets + Int64(state.pktSndDropTotal)
        }
        core.handle(
            .measured(
                BroadcastMeasurement(
                    roundTrip: .nanoseconds(Int64(state.msRTT * 1e6)), sentBytes: Int64(clamping: state.byteSentTotal)))
        )
    }
}
