internal import HelioCore
internal import HelioRendezvousWire

extension RendezvousServer {
    mutating func register(_ id: ConnectionID, _ key: [UInt8], _ signature: [UInt8], now: Instant) {
        guard let connection = connections[id], connection.device == nil else { return violates(id, now: now) }
        let text = RegistrationText.bytes(authority: connection.authority, nonce: connection.nonce)
        guard verifier.isValid(signature, of: text, by: key), let device = try? CallKeys.device(of: key, crypto) else {
            drop(.wrongSignature)
            return refuse(id, .wrongSignature, now: now)
        }
        guard !blocked.contains(device) else {
            drop(.blocked)
            return refuse(id, .blocked, now: now)
        }
        let isNew = devices[device] == nil
        guard !isNew || origins[connection.address.origin]?.newDevices.take(now: now) ?? false else {
            drop(.addressDevices)
            return refuse(id, .tooFast, now: now)
        }
        guard remember(device, now: now) else {
            drop(.serverDevices)
            return refuse(id, .tooMany, now: now)
        }
        let before = devices[device]?.place
        devices[device]?.place = .here(id)
        devices[device]?.epoch += 1
        devices[device]?.holder = settings.instance
        connections[id]?.device = device
        connections[id]?.authority = ""
        connections[id]?.nonce = []
        if case .here(let old) = before { refuse(old, .replaced, now: now) }
        send(.registered(device), to: id)
        counts.registrations += 1
        report(.registered(device, connection.address))
        outputs.append(.store(.seen(device, publicKey: key)))
        announce(device, now: now)
        tellWatchers(of: device, now: now)
    }

    /// Makes room for a device, if it is not known yet. Returns false if there are too many.
    mutating func remember(_ device: RendezvousID, now: Instant) -> Bool {
        if devices[device] != nil { return true }
        // Devices beyond `mostDevices` are forgotten at the next check, unless they are online.
        guard devices.count < settings.mostDevices + settings.mostConnections else { return false }
        devices[device] = Device(
            lastSeen: now, rings: settings.ringsOfDevice.bucket, lists: settings.permitsOfDevice.bucket)
        return true
    }

    /// Takes a device of this instance as offline.
    mutating func leave(_ device: RendezvousID, now: Instant) {
        devices[device]?.place = .offline
        devices[device]?.lastSeen = now
        report(.offline(device))
        outputs.append(.store(.left(device)))
        announce(device, now: now)
        tellWatchers(of: device, now: now)
        leavePermits(of: device)
    }

    /// Leaves an offline device's permits to the store, unless somebody watches it: the devices that come once and
    /// never again are many. With a bus the other instances may ask for them.
    mutating func leavePermits(of device: RendezvousID) {
        guard settings.hasStore, settings.instance == nil, watchers[device] == nil, let known = devices[device],
            known.place == .offline, !known.permits.isEmpty
        else { return }
        devices[device]?.permits = [:]
        devices[device]?.permitsAreStored = true
    }

    mutating func publish(_ permits: [Permit], from id: ConnectionID, now: Instant) {
        guard let device = connections[id]?.device else { return violates(id, now: now) }
        guard devices[device]?.lists.take(now: now) ?? false else {
            drop(.devicePermits)
            return refuse(id, .tooFast, now: now)
        }
        devices[device]?.permits = Self.ends(of: permits, now: now)
        devices[device]?.permitsAreStored = false
        outputs.append(.store(.permits(device, permits)))
        announce(device, now: now)
        tellWatchers(of: device, now: now)
    }

    static func ends(of permits: [Permit], now: Instant) -> [RingTag: PermitEnd] {
        Dictionary(permits.map { ($0.tag, PermitEnd($0, now: now)) }) { $1 }
    }

    mutating func block(_ devices: Set<RendezvousID>, now: Instant) {
        blocked = devices
        let hit = connections.filter { $0.value.device.map { devices.contains($0) } ?? false }
        for id in hit.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            drop(.blocked)
            refuse(id, .blocked, now: now)
        }
    }

    // MARK: The store

    /// True if the store may know more of a device than this server.
    func isStored(_ device: RendezvousID) -> Bool {
        settings.hasStore && devices[device]?.permitsAreStored ?? true
    }

    enum StoreQuestion {
        /// The answer has to be waited for.
        case asked
        /// The store knows no more than this server.
        case needless
        /// Too many questions wait.
        case busy
    }

    /// Asks the store for a device that is not known.
    mutating func askStore(for device: RendezvousID, call: UInt64? = nil) -> StoreQuestion {
        guard isStored(device) else { return .needless }
        if loading[device] == nil {
            guard loading.count < settings.mostStoreQuestions else {
                drop(.storeBusy)
                return .busy
            }
            loading[device] = []
            outputs.append(.store(.load(device)))
        }
        if let call { loading[device]?.append(call) }
        return .asked
    }

    mutating func stored(_ device: RendezvousID, _ facts: DeviceFacts?, now: Instant) {
        guard let waiting = loading.removeValue(forKey: device) else { return }
        if let facts, isStored(device), remember(device, now: now) {
            if devices[device]?.place == .offline { devices[device]?.lastSeen = now - facts.lastSeen }
            devices[device]?.permits = Self.ends(of: facts.permits, now: now)
            devices[device]?.permitsAreStored = false
        }
        for call in waiting where calls[call] != nil { seekHost(of: call, now: now) }
        tellWatchers(of: device, now: now)
        leavePermits(of: device)
    }
}
