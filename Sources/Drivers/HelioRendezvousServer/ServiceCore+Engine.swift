internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioOpenSSL
internal import HelioProtection
internal import HelioRendezvous
internal import HelioRendezvousWire
internal import HelioTURN
internal import NIOCore
internal import NIOWebSocket

/// The engine of the service, and its store.
extension ServiceCore {
    /// Makes the engine. Throws `systemFailed` if the store can't be used.
    func startEngine(_ store: any RendezvousStoring) throws(HelioError) {
        let blocked = try firstBlocked(store)
        var random = SecureGenerator()
        let instance = settings.bus == nil ? nil : InstanceID(using: &random)
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = self.loop
        storeWorker = try StoreWorker(
            store,
            answer: { id, result in loop.execute { bound.value.answered(id, result) } },
            blocked: { list in loop.execute { bound.value.engine?.feed(.blocked(list)) } },
            failed: { count in loop.execute { bound.value.storeFailed(count) } })
        let server = RendezvousServer(
            engineSettings(instance, store), verifier: Ed25519Verifier(), crypto: OpenSSLCrypto(), random: random,
            now: MonotonicClock.now)
        let engine = EngineLoop(server, on: loop, perform: { [weak self] in self?.perform($0) }, settled: {})
        self.engine = engine
        engine.feed(.blocked(blocked))
        if let place = settings.bus, let instance { try startBus(place, instance) }
    }

    /// The devices that are blocked at the start. A store that instances share may be away: it is read again when the
    /// bus is there. Another store has to be readable.
    private func firstBlocked(_ store: any RendezvousStoring) throws(HelioError) -> Set<RendezvousID> {
        do throws(HelioError) {
            return Set(try store.blocked())
        } catch {
            guard settings.bus != nil else { throw error }
            drop(.storeFailed)
            report(.storeUnreadable(error.message))
            return []
        }
    }

    /// Ends the engine, the store and the bus of a service that can't listen.
    func abandon() {
        engine?.stop()
        bus?.end()
        bus = nil
        storeWorker?.end()
        storeWorker = nil
    }

    private func engineSettings(_ instance: InstanceID?, _ store: any RendezvousStoring) -> RendezvousServer.Settings {
        var engine = settings.engine
        engine.instance = instance
        engine.hasStore = true
        engine.startsInDoubt = !store.isDurable
        engine.drainTime = settings.drainTime
        if let turn = settings.turn {
            let offset = WallClock.sinceUnixEpoch(at: MonotonicClock.now)
            engine.turn = RendezvousServer.TURN(
                urls: turn.urls, secret: TURNSharedSecret(turn.secret, life: turn.life, clockOffset: offset),
                life: turn.life)
        }
        return engine
    }

    private func perform(_ output: RendezvousServer.Output) {
        switch output {
        case .send(let id, let bytes): send(bytes, to: id)
        case .close(let id): sockets[id]?.close(.normalClosure)
        case .bus(let order): carry(order)
        case .store(let order): perform(order)
        case .event: break
        }
    }

    // MARK: The store

    private func perform(_ order: RendezvousServer.StoreOrder) {
        let now = WallClock.milliseconds / 1000
        switch order {
        case .seen(let id, let key): put(.seen(id, publicKey: key, at: now))
        case .left(let id): put(.left(id, at: now))
        case .permits(let id, let permits):
            let stored = permits.map { permit in
                StoredPermit(tag: permit.tag, expiry: permit.seconds == 0 ? nil : now + Int64(permit.seconds))
            }
            put(.permits(id, stored))
        case .load(let id):
            if storeWorker?.ask(id) != true {
                drop(.storeFull)
                // The engine waits for an answer to each question.
                engine?.feed(.storeFailed)
                engine?.feed(.stored(id, nil))
            }
        }
    }

    private func put(_ change: StoredChange) {
        if storeWorker?.put(change) != true {
            drop(.storeFull)
            engine?.feed(.storeFailed)
        }
    }

    private func answered(_ id: RendezvousID, _ result: Result<StoredDevice?, HelioError>) {
        switch result {
        case .success(let device): engine?.feed(.stored(id, device.map { facts($0) }))
        case .failure:
            drop(.storeFailed)
            engine?.feed(.storeFailed)
            engine?.feed(.stored(id, nil))
        }
    }

    private func facts(_ device: StoredDevice) -> RendezvousServer.DeviceFacts {
        let now = WallClock.milliseconds / 1000
        let permits = device.permits.map { permit in
            Permit(tag: permit.tag, seconds: permit.expiry.map { UInt32(clamping: max(1, $0 - now)) } ?? 0)
        }
        return RendezvousServer.DeviceFacts(permits: permits, lastSeen: .seconds(max(0, now - device.lastSeen)))
    }

    private func storeFailed(_ changes: Int) {
        drop(.storeFailed, changes)
        engine?.feed(.storeFailed)
        report(.storeFailed(changes: changes))
    }
}
