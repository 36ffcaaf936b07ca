import HelioCore

// Links that come, are probed, and fall silent.

extension LinkBundle {
    mutating func add(_ id: LinkID, _ traits: LinkTraits) {
        if index(of: id) != nil { remove(id) }
        guard links.count < settings.maximumLinks else { return counted.count(.refusedLink) }
        let hold = formerHolds[id] ?? LinkHold()
        links.append(Link(id, traits, lastCounter: sealer.lastCounter(of: id), hold: hold, now: now))
        askLinks()
    }

    mutating func change(_ id: LinkID, _ traits: LinkTraits) {
        guard let index = index(of: id) else { return counted.count(.refusedLink) }
        links[index].traits = traits
        if let width = traits.width {
            if links[index].pacer == nil { links[index].pacer = WidthPacer(width, now: now) }
            links[index].pacer?.setWidth(width)
        } else {
            clearPacer(index)
            links[index].pacer = nil
        }
        choose()
    }

    mutating func remove(_ id: LinkID) {
        guard let index = index(of: id) else { return counted.count(.refusedLink) }
        if links[index].isUp { links[index].fallSilent(settings, now: now) }
        formerHolds[id] = links[index].hold
        clearPacer(index)
        links.remove(at: index)
        choose()
    }

    /// Gives up links that are silent, and lets a second link help those whose answer is late.
    mutating func watchLinks() {
        var hasChanged = false
        for index in links.indices where links[index].isGone(settings, now: now) {
            links[index].fallSilent(settings, now: now)
            clearPacer(index)
            emit(.silent(links[index].id))
            hasChanged = true
        }
        if hasChanged { choose() }
        for index in links.indices {
            let link = links[index]
            guard active.contains(link.id), !link.isDoubted, link.isLate(isActive: true, settings, now: now) else {
                continue
            }
            links[index].isDoubted = true
            links[index].asksAt = min(link.asksAt, now)
            if active.control == link.id, let second = second(besides: index, for: .control) {
                repeatControl(since: lossBegan(on: link), on: second)
            }
        }
    }

    /// The time from which datagrams on a link may be lost, as nothing shows that they arrived.
    func lossBegan(on link: Link) -> Instant { link.arrivedUntil ?? now - RecentControl.age }

    /// Sends the probes that are due.
    mutating func askLinks() {
        for index in links.indices where links[index].asksAt <= now {
            let id = links[index].id
            let number = sealer.lastCounter(of: id) + 1
            sendProbe(.ask, number: number, on: index)
            links[index].noteAsk(number, now: now)
            let interval = links[index].interval(isActive: active.contains(id), settings, now: now)
            links[index].asksAt = now + interval
        }
    }

    mutating func sendProbe(_ kind: LinkProbe.Kind, number: UInt64, on index: Int) {
        let link = links[index]
        var uses: LinkProbe.Uses = []
        if role == .viewer {
            for purpose in DatagramClass.allCases where active[purpose] == link.id { uses.insert(.init(purpose)) }
        }
        let probe = LinkProbe(
            kind: kind, uses: uses, number: number, sent: UInt32(truncatingIfNeeded: link.sent + 1),
            heard: link.newestAsk, received: UInt32(truncatingIfNeeded: link.received), choice: choice)
        guard let frame = sealer.seal(.probe, probe.serialised(), lane: link.id) else {
            return counted.count(.sealFailed)
        }
        links[index].pacer?.spend(frame.count)
        transmit(frame, on: index)
    }

    mutating func handle(_ probe: LinkProbe, on index: Int) {
        links[index].skipInterruption()
        links[index].inbound.note(
            sent: probe.sent, received: UInt32(truncatingIfNeeded: links[index].received), now: now)
        switch probe.kind {
        case .ask:
            links[index].newestAsk = max(links[index].newestAsk, probe.number)
            follow(probe, on: index)
            noteHeard(probe.heard, on: index)
            sendProbe(.answer, number: probe.number, on: index)
        case .answer:
            noteHeard(max(probe.number, probe.heard), on: index)
            links[index].answered(probe.number, receivedByPeer: probe.received, now: now)
        case .end: endedByPeer()
        case .ended: endConfirmed()
        }
    }

    /// Handles a report that the peer has received an ask.
    private mutating func noteHeard(_ number: UInt64, on index: Int) {
        let former = links[index]
        guard links[index].heard(number, now: now) else { return }
        if former.isDoubted, active.control == former.id {
            // The link works again; what it lost meanwhile may have been lost on the second link too.
            repeatControl(since: lossBegan(on: former), on: index)
        }
        if !links[index].isUp {
            if links[index].answers >= Link.neededAnswers {
                bringUp(index)
            } else {
                links[index].asksAt = now
                askLinks()
            }
        }
        choose()
    }

    mutating func bringUp(_ index: Int) {
        links[index].comeUp(settings, now: now)
        emit(.up(links[index].id))
    }

    private mutating func clearPacer(_ index: Int) {
        guard let dropped = links[index].pacer?.clear() else { return }
        counted.count(.controlBeyondWidth, dropped.control)
        counted.count(.mediaBeyondWidth, dropped.media)
    }
}
