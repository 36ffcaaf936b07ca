import HelioCore
import HelioRemoteWire

// The viewers in browsers at `HostControl`: their input, and which of them drives (docs/web/protocol.md, "Watching and
// driving"). Each viewer's session parses its messages, and itself answers messages about sound, picture, pointer and
// connection.

extension HostControl {
    func handle(_ input: WebControl, of id: ConnectionID, now: Instant) {
        if case .open(let name, let allowsControl) = input {
            return open(id, name: name, allowsControl: allowsControl)
        }
        guard web[id] != nil else {
            // The message arrived after the session had ended.
            if case .message = input { counter.count(.unknownViewer) }
            return
        }
        switch input {
        case .open: break
        case .message(let message, let channel):
            web[id]?.receiver.heard(now: now)
            if case .inputs(let numbered) = message {
                handle(numbered, channel, from: id, now: now)
            } else {
                handle(message, from: id, now: now)
            }
        case .heard: web[id]?.receiver.heard(now: now)
        case .permit(let allowed): permit(allowed, id, now: now)
        case .close: close(id)
        }
    }

    private func open(_ id: ConnectionID, name: String, allowsControl: Bool) {
        guard web[id] == nil else { return }
        web[id] = WebControlChannel(
            makeNumber(), name: name, allowsControl: allowsControl, mapper: CoordinateMapper(size: screen))
        if let inputRate { send(.inputRate(Int(inputRate)), id) }
        tellViewers()
        tellTurn()
    }

    private func close(_ id: ConnectionID) {
        guard let channel = web.removeValue(forKey: id) else { return }
        inject(channel.receiver.release())
        earlierDrops.add(channel)
        turn.leave(channel.number)
        tellViewers()
        tellTurn()
    }

    private func permit(_ allowed: Bool, _ id: ConnectionID, now: Instant) {
        guard let number = web[id]?.number else { return }
        web[id]?.allowsControl = allowed
        inject(web[id]?.receiver.release() ?? [])
        changeTurn(now) { if !allowed { $0.leave(number) } }
        tellTurn()
    }

    func tickWeb(_ now: Instant) {
        for id in web.keys {
            guard let due = web[id]?.receiver.deadline, due.at <= now, let number = web[id]?.number else { continue }
            inject(web[id]?.receiver.tick(now: now) ?? [])
            if !isHolding(id) { turn.release(number, now: now) }
        }
    }

    // MARK: Receiving

    /// Executes numbered inputs, and acknowledges them at once on the data channel by which they arrived.
    private func handle(_ numbered: NumberedInputs, _ channel: RemoteChannel, from id: ConnectionID, now: Instant) {
        guard let web = web[id] else { return }
        let inputs = web.take(numbered, now: now)
        for input in inputs.compactMap(\.self) { handle(input, from: id, now: now) }
        send(.inputsDone(next: web.nextInput, sentAt: numbered.sentAt), id, by: channel)
        if inputs.contains(nil) { send(.error(RemoteErrorReport(message: "not an input", about: "inputs")), id) }
    }

    private func handle(_ message: ViewerMessage, from id: ConnectionID, now: Instant) {
        guard let number = web[id]?.number, let allowsControl = web[id]?.allowsControl else { return }
        switch message {
        // The viewer's session has answered these messages; `alive` needs no answer.
        case .alive, .ping, .audioEnabled, .audioVolume, .audioOffer, .videoEnabled, .quality, .ownPicture,
            .pictureLost, .pictureSeen, .keepsCursors:
            break
        case .requestControl:
            guard allowsControl else { return refuse(message, "this viewer may only watch", id) }
            requestControl(number, now: now)
        case .handOver(let to): handOver(message, by: number, id, to: to, now: now)
        case .selectMonitor(let monitor):
            guard hasMonitor(monitor) else { return refuse(message, "no such monitor", id) }
            guard allowsControl else { return refuse(message, "this viewer may only watch", id) }
            guard drives(number, isHolding: isHolding(id), now: now) else {
                return refuse(message, "somebody else drives", id)
            }
            outputs.append(.selectMonitor(id: monitor))
        default: act(message, from: id, number, allowsControl: allowsControl, now: now)
        }
    }

    private func isHolding(_ id: ConnectionID) -> Bool { web[id]?.receiver.isHolding ?? false }

    private func act(
        _ message: ViewerMessage, from id: ConnectionID, _ number: ViewerNumber, allowsControl: Bool, now: Instant
    ) {
        guard let wanted = web[id]?.receiver.handle(message), !wanted.isEmpty else {
            if !isHolding(id) { turn.release(number, now: now) }
            return
        }
        guard allowsControl else { return drop(wanted, .notPermitted, id) }
        if wanted.allSatisfy(\.isState) {
            var isAllowed = false
            changeTurn(now) { isAllowed = $0.allowsState(of: number, now: now) }
            return isAllowed ? inject(wanted) : drop(wanted, .notDriving, id)
        }
        var drives = false
        changeTurn(now) {
            drives = $0.act(
                number, isMotion: wanted.allSatisfy(\.isMotion), isHolding: isHolding(id), now: now)
        }
        if drives { inject(wanted) } else { drop(wanted, .notDriving, id) }
    }

    /// Drops input that may not be injected, and clears the viewer's held keys and buttons. No releases are injected,
    /// as only the driver's keys and buttons are down on the host.
    private func drop(_ wanted: [InjectedInput], _ drop: WebControlChannel.Drop, _ id: ConnectionID) {
        web[id]?.drops.count(drop, wanted.count)
        _ = web[id]?.receiver.release()
    }

    private func handOver(
        _ message: ViewerMessage, by number: ViewerNumber, _ id: ConnectionID, to: ViewerNumber?, now: Instant
    ) {
        if let to, !mayDrive(to) { return refuse(message, "no such viewer, or one that may only watch", id) }
        var isDone = false
        changeTurn(now) { isDone = $0.handOver(by: number, to: to, now: now) }
        if !isDone { refuse(message, "this viewer does not drive", id) }
    }

    private func refuse(_ message: ViewerMessage, _ why: String, _ id: ConnectionID) {
        send(.error(RemoteErrorReport(message: why, about: message.type)), id)
    }

    // MARK: Sending

    /// - Parameter channel: the data channel to send on; `nil` for the default channel of the message's type.
    func send(_ message: HostMessage, _ id: ConnectionID, by channel: RemoteChannel? = nil) {
        outputs.append(.web(id, message.serialised(), channel ?? message.channel))
    }

    /// Sends each browser its state of control if that has changed.
    func tellWebTurn() {
        for (id, channel) in zip(web.keys, web.values) {
            let state: ControlState =
                if !channel.allowsControl {
                    .forbidden
                } else if let driver = turn.driver {
                    driver == channel.number ? .yours : .taken(by: driver)
                } else {
                    .free
                }
            guard channel.told != state else { continue }
            channel.told = state
            send(.control(state), id)
        }
    }

    /// Sends all browsers the list of viewers, after every change.
    func tellViewers() {
        if web.isEmpty { return }
        let everybody = (channels.values.map { ($0.number, $0.name) } + web.values.map { ($0.number, $0.name) })
            .sorted { $0.0.rawValue < $1.0.rawValue }.prefix(HostMessage.mostViewers)
        for (id, channel) in zip(web.keys, web.values) {
            let list = everybody.map { number, name in
                ViewerEntry(
                    viewer: number, name: name.isEmpty ? "viewer \(number.rawValue)" : name,
                    drives: number == turn.driver, isYou: number == channel.number)
            }
            send(.viewers(list), id)
        }
    }
}
