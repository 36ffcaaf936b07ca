internal import HelioADBWire
internal import HelioCore
internal import HelioPhoneWire

/// The way to the phone's server, through adb's.
extension AndroidPhone {
    /// Connects to adb's server.
    mutating func begin(_ now: Instant) {
        phase = .version
        open(.version, [.version])
        stepEnds = now + AndroidSettings.stepTime
    }

    mutating func open(_ purpose: ADBStream.Purpose, _ requests: [ADBRequest]) {
        let id = ADBStreamID(nextStream)
        nextStream += 1
        streams.append(ADBStream(id: id, purpose: purpose, requests: requests))
        put(.connect(id))
    }

    /// Opens a service of the phone.
    private mutating func open(_ purpose: ADBStream.Purpose, on serial: String, _ request: ADBRequest, _ now: Instant) {
        open(purpose, [.transport(serial: serial), request])
        stepEnds = now + (purpose == .push ? AndroidSettings.pushTime : AndroidSettings.stepTime)
    }

    mutating func connected(_ id: ADBStreamID, _ now: Instant) {
        guard let stream = streams.first(where: { $0.id == id }) else { return }
        sendRequest(stream, now)
    }

    private mutating func sendRequest(_ stream: ADBStream, _ now: Instant) {
        guard let request = stream.requests.first else { return }
        guard let bytes = request.serialised else { return lose(.refused("a request is too long"), now) }
        put(.send(stream.id, bytes))
    }

    mutating func received(_ id: ADBStreamID, _ bytes: [UInt8], _ now: Instant) {
        guard let index = streams.firstIndex(where: { $0.id == id }) else { return }
        streams[index].reader.append(bytes)
        do throws(ADBWireError) {
            while !streams[index].isOpen {
                guard let status = try streams[index].reader.takeStatus() else { return }
                if case .fail(let reason) = status { return refused(streams[index].purpose, reason, now) }
                streams[index].requests.removeFirst()
                if streams[index].isOpen { opened(streams[index], now) } else { sendRequest(streams[index], now) }
                guard streams.indices.contains(index), streams[index].id == id else { return }
            }
            try serve(id, now)
        } catch {
            statistics.drops.count(.adbMalformed)
            phase == .version ? fail(.strangeServer) : lose(.refused(error.rawValue), now)
        }
    }

    /// All requests of a stream were accepted.
    private mutating func opened(_ stream: ADBStream, _ now: Instant) {
        switch stream.purpose {
        case .push: put(.send(stream.id, ADBSync.status(of: settings.serverPath)))
        case .server: put(.send(stream.id, Array((Hexadecimal.text(token) + "\n").utf8)))
        case .channel(let code):
            guard let channel = PhoneChannel(rawValue: code) else { return }
            put(.send(stream.id, PhoneWire.greeting(channel, token: token)))
        case .version, .tracker, .probe: break
        }
    }

    /// Takes the bytes of a stream whose requests were accepted.
    private mutating func serve(_ id: ADBStreamID, _ now: Instant) throws(ADBWireError) {
        guard let index = streams.firstIndex(where: { $0.id == id }) else { return }
        switch streams[index].purpose {
        case .version:
            guard let block = try streams[index].reader.takeBlock() else { return }
            close(id)
            // 31 is of 2013, the first with the services that are used here.
            guard let version = ADBHexadecimal.number(in: block.span.bytes, at: 0), version >= 31 else {
                return fail(.strangeServer)
            }
            hasTriedServer = false
            phase = .waiting
            open(.tracker, [.trackDevices])
        case .tracker:
            while let block = try streams[index].reader.takeBlock() {
                devices = ADBDevice.list(in: block)
                look(now)
                guard streams.indices.contains(index), streams[index].id == id else { return }
            }
        case .probe:
            let bytes = streams[index].reader.takeRest()
            probed += bytes.prefix(max(0, 4096 - probed.count))
        case .push: try servePush(index, now)
        case .server:
            lines.append(streams[index].reader.takeRest())
            if lines.isReady, phase == .starting { openChannels(now) }
        case .channel(let code):
            guard let channel = PhoneChannel(rawValue: code) else { return }
            let bytes = streams[index].reader.takeRest()
            if !bytes.isEmpty { hear(channel, bytes, now) }
        }
    }

    mutating func close(_ id: ADBStreamID) {
        guard let index = streams.firstIndex(where: { $0.id == id }) else { return }
        streams.remove(at: index)
        put(.close(id))
    }

    mutating func closed(_ id: ADBStreamID, _ wasOpen: Bool, _ now: Instant) {
        guard let index = streams.firstIndex(where: { $0.id == id }) else { return }
        let stream = streams.remove(at: index)
        switch stream.purpose {
        case .version where !wasOpen && !hasTriedServer:
            hasTriedServer = true
            phase = .startingServer
            stepEnds = now + AndroidSettings.stepTime
            put(.startServer)
        case .version where !hasBeenReady: fail(wasOpen ? .strangeServer : .serverFailed(""))
        case .probe where stream.isOpen: finishProbe(now)
        case .server:
            lines.finish()
            lose(phase == .running ? .lost : .serverEnded(ADBRefusal.line(lines.last)), now)
        case .version, .tracker: lose(.lost, now)
        case .probe, .push, .channel: lose(.lost, now)
        }
    }

    mutating func serverStarted(_ trouble: AndroidTrouble?, _ now: Instant) {
        guard phase == .startingServer else { return }
        if let trouble { return hasBeenReady ? lose(trouble, now) : fail(trouble) }
        begin(now)
    }

    // MARK: The phone

    /// Looks for the phone in the list, and begins with it if it is ready.
    private mutating func look(_ now: Instant) {
        guard phase == .waiting else {
            // A phone that went away closes its streams, too; the list says so first.
            if let serial, devices.first(where: { $0.serial == serial })?.state != .ready { lose(.lost, now) }
            return
        }
        switch choose() {
        case .success(let chosen):
            (serial, trouble, patienceEnds) = (chosen, nil, nil)
            guard retryAt == nil else { return }
            probe(chosen, now)
        case .failure(let trouble): wait(trouble.why, now)
        }
    }

    private struct NotReady: Error { let why: AndroidTrouble }

    private func choose() -> Result<String, NotReady> {
        if let serial {
            guard let device = devices.first(where: { $0.serial == serial }) else {
                return .failure(NotReady(why: .missing(serial)))
            }
            return AndroidTrouble(of: device).map { .failure(NotReady(why: $0)) } ?? .success(serial)
        }
        let ready = devices.filter { $0.state == .ready }
        if ready.count > 1 { return .failure(NotReady(why: .severalPhones(ready.map(\.serial)))) }
        if let only = ready.first { return .success(only.serial) }
        guard let device = devices.first else { return .failure(NotReady(why: .noPhone)) }
        return .failure(NotReady(why: AndroidTrouble(of: device) ?? .noPhone))
    }

    /// Waits for the list to change. Before the first readiness only for as long as a person needs.
    private mutating func wait(_ trouble: AndroidTrouble, _ now: Instant) {
        stepEnds = nil
        guard hasBeenReady || trouble.mayEnd else { return fail(trouble) }
        if self.trouble != trouble { tell(.waiting(trouble)) }
        self.trouble = trouble
        guard !hasBeenReady else { return }
        if case .unauthorized = trouble {
            patienceEnds = now + AndroidSettings.allowTime
        } else if patienceEnds == nil {
            patienceEnds = now + AndroidSettings.plugTime
        }
    }

    // MARK: Starting its server

    private mutating func probe(_ serial: String, _ now: Instant) {
        phase = .probing
        open(.probe, on: serial, .run("getprop ro.build.version.sdk"), now)
    }

    private mutating func finishProbe(_ now: Instant) {
        guard phase == .probing, let serial else { return }
        let text = String(decoding: probed, as: UTF8.self).filter { $0 > " " }
        probed = []
        guard let sdk = UInt16(text) else { return lose(.refused(ADBRefusal.line(text)), now) }
        guard sdk >= 21 else { return fail(.tooOld(sdk)) }
        phase = .pushing
        open(.push, on: serial, .sync, now)
    }

    private mutating func servePush(_ index: Int, _ now: Instant) throws(ADBWireError) {
        let id = streams[index].id
        if case .status = push, let status = try streams[index].reader.takeFileStatus() {
            if Int(status.size) == settings.server.count { return finishPush(id, now) }
            push = .file
            put(.send(id, ADBSync.send(settings.server, to: settings.serverPath, mode: 0o644, time: 0)))
        }
        guard case .file = push, let status = try streams[index].reader.takeTransferStatus() else { return }
        if case .fail(let reason) = status {
            let trouble = AndroidTrouble.pushFailed(ADBRefusal.line(reason))
            return hasBeenReady ? lose(trouble, now) : fail(trouble)
        }
        finishPush(id, now)
    }

    private mutating func finishPush(_ id: ADBStreamID, _ now: Instant) {
        guard let serial else { return }
        push = .done
        put(.send(id, ADBSync.quit))
        close(id)
        phase = .starting
        socketName = "heliograph-" + Hexadecimal.text(draw(4))
        token = draw(PhoneWire.tokenSize)
        lines = ServerLines()
        let command = "CLASSPATH=\(settings.serverPath) exec app_process / org.heliograph.phone.Server \(socketName)"
        open(.server, on: serial, .run(command), now)
    }

    private mutating func draw(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    private mutating func openChannels(_ now: Instant) {
        guard let serial else { return }
        phase = .opening
        for channel in PhoneChannel.allCases where channel != .sound || settings.hasSound {
            channels[channel] = PhoneReader(after: channel)
            channelStreams[channel] = ADBStreamID(nextStream)
            open(.channel(channel.rawValue), on: serial, .abstractSocket(socketName), now)
        }
    }

    // MARK: Losses

    private mutating func refused(_ purpose: ADBStream.Purpose, _ reason: String, _ now: Instant) {
        let trouble: AndroidTrouble =
            switch (ADBRefusal(reason), purpose) {
            case (.unknownRequest, _), (_, .version): .strangeServer
            case (.unauthorized, _): .unauthorized(serial ?? "")
            case (.offline, _): .offline(serial ?? "")
            case (.noPermissions, _): .noPermissions(serial ?? "")
            case (.noDevice, _): serial.map { .missing($0) } ?? .noPhone
            case (.closed, .channel): .serverEnded(ADBRefusal.line(lines.last))
            default: .refused(ADBRefusal.line(reason))
            }
        lose(trouble, now)
    }

    /// Ends the connection to the phone, and tries again later.
    mutating func lose(_ trouble: AndroidTrouble, _ now: Instant) {
        guard phase != .ended else { return }
        if !hasBeenReady {
            failures += 1
            if !trouble.mayEnd || failures >= AndroidSettings.attempts { return fail(trouble) }
        }
        disconnect()
        statistics.drops.count(.lineTooLong, lines.tooLong)
        phase = .idle
        devices = []
        if self.trouble != trouble { tell(.waiting(trouble)) }
        self.trouble = trouble
        retryAt = retry.failed(now: now)
    }

    /// Begins again after a wait.
    mutating func resume(_ now: Instant) {
        hasTriedServer = false
        begin(now)
    }
}
