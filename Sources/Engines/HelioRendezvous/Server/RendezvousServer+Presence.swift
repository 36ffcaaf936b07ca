internal import HelioCore
internal import HelioRendezvousWire

extension RendezvousServer {
    mutating func watch(_ id: ConnectionID, _ device: RendezvousID, _ token: RingToken, now: Instant) {
        guard let connection = connections[id], let tag = try? CallKeys.tag(of: token, crypto) else { return }
        if connection.watches[device] == nil {
            guard connection.watches.count < RendezvousLimits.watches else {
                drop(.connectionWatches)
                return send(.presence(device, .unknown, secondsAgo: 0), to: id)
            }
            guard watchers[device, default: []].count < settings.watchersOfDevice else {
                drop(.deviceWatchers)
                return send(.presence(device, .unknown, secondsAgo: 0), to: id)
            }
            watchers[device, default: []].append(id)
        }
        connections[id]?.watches[device] = Watch(tag: tag)
        if isStored(device), loading[device] == nil {
            if origins[connection.address.origin]?.storeQuestions.take(now: now) ?? false {
                _ = askStore(for: device)
            } else {
                drop(.addressQuestions)
            }
        }
        tell(id, of: device, now: now)
    }

    /// Tells those who watch a device of its presence, if it has changed for them.
    mutating func tellWatchers(of device: RendezvousID, now: Instant) {
        for id in watchers[device] ?? [] { tell(id, of: device, now: now) }
    }

    private mutating func tell(_ id: ConnectionID, of device: RendezvousID, now: Instant) {
        guard let watch = connections[id]?.watches[device] else { return }
        let (state, seconds) = presence(of: device, for: watch.tag, now: now)
        // The answer of the store may tell more.
        guard watch.told != state, state != .unknown || loading[device] == nil else { return }
        connections[id]?.watches[device]?.told = state
        send(.presence(device, state, secondsAgo: seconds), to: id)
    }

    /// The presence of a device for who has a permit. Anybody else learns as much as of a device that does not exist.
    private func presence(
        of device: RendezvousID, for tag: RingTag, now: Instant
    ) -> (PresenceState, secondsAgo: UInt32) {
        guard let known = devices[device], known.permits(tag, now: now) else { return (.unknown, 0) }
        return known.place == .offline ? (.offline, Self.seconds(now - known.lastSeen)) : (.online, 0)
    }
}
