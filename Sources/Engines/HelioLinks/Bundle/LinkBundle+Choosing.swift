import HelioCore

// The choice of the active links: the viewer leads, the host follows.

extension LinkBundle {
    /// Chooses the active links anew, and has the stream and control follow.
    mutating func choose() {
        let before = active
        for purpose in DatagramClass.allCases {
            active[purpose] = role == .viewer ? chosen(purpose) : followed(purpose)
        }
        let isAlone = !links.contains(where: \.isUp)
        aloneSince = isAlone ? aloneSince ?? now : nil
        if active != before {
            changes += 1
            emit(.active(media: active.media, control: active.control))
            if role == .viewer { tellChoice() }
        }
        if active.control != before.control, let index = upIndex(of: active.control) {
            repeatControl(since: controlLostSince(before.control), on: index)
        }
        followStream()
    }

    /// The time from which control on the former link may be lost. Even a link whose answers came in time may have died
    /// since the last.
    private func controlLostSince(_ former: LinkID?) -> Instant {
        // All that is kept, as nothing is known of the link any more.
        guard let former = index(of: former) else { return now - RecentControl.age }
        return lossBegan(on: links[former])
    }

    /// Tells the host soon, by quick probes on the links of the new choice.
    private mutating func tellChoice() {
        choice &+= 1
        for index in links.indices where active.contains(links[index].id) {
            links[index].hurried = 4
            links[index].asksAt = now
        }
        askLinks()
    }

    // MARK: Viewer

    /// The cost of a link whose answer is late: it is used only if no other is left.
    private static var lateCost: Double { 10_000 }

    private mutating func chosen(_ purpose: DatagramClass) -> LinkID? {
        guard let current = upIndex(of: active[purpose]) else {
            challenges[purpose] = nil
            return (best(for: purpose) ?? best(for: purpose, evenHeld: true)).map { links[$0].id }
        }
        let score = LinkScore.of(links[current], for: purpose)
        guard let best = best(for: purpose), best != current,
            LinkScore.of(links[best], for: purpose) + LinkScore.margin(score) < score
        else {
            challenges[purpose] = nil
            return links[current].id
        }
        let id = links[best].id
        // A cheaper kind is used at once. A dearer one has to prove itself for a while.
        if links[best].traits.kind < links[current].traits.kind {
            challenges[purpose] = nil
            return id
        }
        guard let challenge = challenges[purpose], challenge.link == id else {
            challenges[purpose] = (id, now)
            return links[current].id
        }
        guard now - challenge.since >= settings.challenge else { return links[current].id }
        challenges[purpose] = nil
        links[current].hold.noteLoss(settings, now: now)
        return id
    }

    /// The index of the best link that is up; without those that have failed lately unless `evenHeld`.
    private func best(for purpose: DatagramClass, evenHeld: Bool = false) -> Int? {
        var result: (index: Int, score: Double)?
        for index in links.indices where links[index].isUp {
            guard evenHeld || !links[index].hold.isActive(now) else { continue }
            let score = LinkScore.of(links[index], for: purpose) + (isLate(index) ? Self.lateCost : 0)
            if result.map({ score < $0.score }) ?? true { result = (index, score) }
        }
        return result?.index
    }

    /// The index of the link that helps a link out: the best other one whose answers come in time, or any other.
    func second(besides index: Int, for purpose: DatagramClass) -> Int? {
        var result: (index: Int, score: Double)?
        for other in links.indices where links[other].isUp && other != index {
            let score = LinkScore.of(links[other], for: purpose) + (isLate(other) ? Self.lateCost : 0)
            if result.map({ score < $0.score }) ?? true { result = (other, score) }
        }
        return result?.index
    }

    func isLate(_ index: Int) -> Bool {
        links[index].isLate(isActive: active.contains(links[index].id), settings, now: now)
    }

    // MARK: Host

    /// Follows the viewer's wish in an authentic probe, if no newer one has come.
    mutating func follow(_ probe: LinkProbe, on index: Int) {
        guard role == .host else {
            if !probe.uses.isEmpty { counted.count(.badProbe) }
            return
        }
        var isWanted = false
        for purpose in DatagramClass.allCases where probe.uses.contains(.init(purpose)) {
            guard probe.choice >= wanted[purpose]?.choice ?? 0 else { continue }
            wanted[purpose] = (links[index].id, probe.choice)
            isWanted = true
        }
        guard isWanted else { return }
        // The viewer has had answers on this link, so it works both ways.
        if !links[index].isUp { bringUp(index) }
        choose()
    }

    private func followed(_ purpose: DatagramClass) -> LinkID? {
        if let wanted = wanted[purpose], upIndex(of: wanted.link) != nil { return wanted.link }
        if let current = upIndex(of: active[purpose]) { return links[current].id }
        return best(for: purpose, evenHeld: true).map { links[$0].id }
    }
}
