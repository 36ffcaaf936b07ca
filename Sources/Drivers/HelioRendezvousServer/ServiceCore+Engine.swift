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
        let blocked = Set(try store.blocked())
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = self.loop
        storeWorker = try StoreWorker(
            store,
            answer: { id, result in loop.execute { bound.value.answered(id, result) } },
            blocked: { list in loop.execute { bound.value.engine?.feed(.blocked(list)) } },
            failed: { count in loop.execute { bound.value.storeFailed(count) } })
        let server = RendezvousServer(
            engineSettings, verifier: Ed25519Verifier(), crypto: OpenSSLCrypto(), random: SecureGenerator(),
            now: MonotonicClock.now)
        let engine = EngineLoop(server, on: loop, perform: { [weak self] in self?.perform($0) }, settled: {})
        self.engine = engine
        engine.feed(.blocked(blocked))
    }

    /// Ends the engine and the store of a service that can't listen.
    func abandon() {
        engine?.stop()
        storeWorker?.end()
        storeWorker = nil
    }

    private var engineSettings: RendezvousServer.Settings {
        var engine = settings.engine
        engine.hasStore = true
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
        case .bus: drop(.noBus)
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
                engine?.feed(.stored(id, nil))
            }
        }
    }

    private func put(_ change: StoredChange) {
        if storeWorker?.put(change) != true { drop(.storeFull) }
    }

    private func answered(_ id: RendezvousID, _ result: Result<StoredDevice?, HelioError>) {
        switch result {
        case .success(let device): engine?.feed(.stored(id, device.map { facts($0) }))
        case .failure:
            drop(.storeFailed)
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
        report(.storeFailed(changes: changes))
    }
}
