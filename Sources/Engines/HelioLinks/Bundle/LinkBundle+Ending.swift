import HelioCore
import HelioSCTP

// The end: the rest of the stream arrives, and the peer is told on all links.

extension LinkBundle {
    private static var tellings: Int { 5 }
    private static var tellingInterval: Duration { .milliseconds(100) }

    var endDeadline: Deadline? {
        switch phase {
        case .open, .ended: nil
        case .draining(let until): Deadline(at: until, why: "end of the stream")
        case .telling(_, _, let at): Deadline(at: at, why: "end of the bundle")
        }
    }

    mutating func beginEnd() {
        guard case .open = phase else { return }
        phase = .draining(until: now + settings.ending)
        flushRest()
        association.shutdown(now: now)
        handleStreamEvents()
    }

    mutating func runEnd() {
        switch phase {
        case .open, .ended: break
        case .draining(let until):
            if until <= now { beginTelling(.endedHere) }
        case .telling(let end, let left, let at):
            guard at <= now else { return }
            guard left > 0 else { return finish(end) }
            phase = .telling(end, left: left - 1, at: now + Self.tellingInterval)
            tellAll(.end)
        }
    }

    /// Handles the end of the stream's association.
    mutating func streamEnded(properly: Bool) {
        switch phase {
        case .open:
            // The peer has ended the stream, and has all of this end's data.
            if properly { finish(.endedByPeer) } else { beginTelling(.streamFailed) }
        case .draining: beginTelling(.endedHere)
        case .telling, .ended: break
        }
    }

    mutating func beginTelling(_ end: LinkBundleEnd) {
        if case .telling = phase { return }
        guard links.contains(where: \.isUp) else { return finish(end) }
        phase = .telling(end, left: Self.tellings, at: now)
        runEnd()
    }

    mutating func endedByPeer() {
        tellAll(.ended)
        switch phase {
        case .open: finish(.endedByPeer)
        case .draining: finish(.endedHere)
        case .telling(let end, _, _): finish(end)
        case .ended: break
        }
    }

    mutating func endConfirmed() {
        guard case .telling(let end, _, _) = phase else { return counted.count(.badProbe) }
        finish(end)
    }

    mutating func finish(_ end: LinkBundleEnd) {
        guard isRunning else { return }
        phase = .ended
        streamPath = nil
        // What had arrived is delivered even if the driver held it back.
        association.holdMessages(false, now: now)
        while let output = association.pollEvent() {
            if case .message(let message) = output { outputs.append(.stream(message.payload)) }
        }
        outputs.append(.closed(end))
    }

    /// Tells a peer that asks after the end, or confirms its own end, for as long as the driver keeps the bundle.
    mutating func handleWhenEnded(_ input: Input) {
        if case .down(let id) = input { return links.removeAll { $0.id == id } }
        guard case .received(let bytes, let id) = input, let index = index(of: id),
            bytes.first == FrameType.probe.rawValue, bytes.count <= settings.maximumDatagram + 1,
            case .opened(_, let message) = opener.open(bytes), let probe = LinkProbe.parse(message.span.bytes)
        else { return counted.count(.ended) }
        switch probe.kind {
        case .ask: sendProbe(.end, number: 0, on: index)
        case .end: sendProbe(.ended, number: 0, on: index)
        case .answer, .ended: counted.count(.ended)
        }
    }

    private mutating func tellAll(_ kind: LinkProbe.Kind) {
        for index in links.indices where links[index].isUp { sendProbe(kind, number: 0, on: index) }
    }
}
