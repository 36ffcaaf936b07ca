internal import HelioCore
internal import HelioPhoneWire

/// The conversation with the phone's server.
extension AndroidPhone {
    /// Sends an order on the control channel.
    mutating func order(_ order: PhoneOrder) {
        guard let id = channelStreams[.control] else { return }
        put(.send(id, order.serialised))
    }

    /// Takes bytes of a channel.
    mutating func hear(_ channel: PhoneChannel, _ bytes: [UInt8], _ now: Instant) {
        link.heard = now
        channels[channel]?.append(bytes)
        do throws(PhoneWireError) {
            while let report = try channels[channel]?.next() {
                checkGreetings(now)
                take(report, of: channel, now)
            }
            checkGreetings(now)
        } catch {
            statistics.drops.count(.malformed)
            lose(.lost, now)
        }
    }

    private mutating func checkGreetings(_ now: Instant) {
        guard phase == .opening, !channels.isEmpty, channels.values.allSatisfy(\.isGreeted) else { return }
        phase = .running
        stepEnds = now + AndroidSettings.stepTime
        link.nextPing = now + AndroidSettings.pingInterval
        statistics.connections += 1
        if let size = settings.newDisplay { order(.newDisplay(size, density: settings.density)) }
        if settings.keepsAwake { order(.stayAwake(true)) }
        if settings.screenOff { order(.screen(isOn: false)) }
        if let app = settings.startApp { order(.startApp(app)) }
        if wantsSound { order(.sound(isOn: true)) }
        becomeReady(now)
    }

    private mutating func take(_ report: PhoneReport, of channel: PhoneChannel, _ now: Instant) {
        switch (report, channel) {
        case (.picture(let picture), .video): take(picture, now)
        case (.configuration(let number, let sets), .video):
            if number == link.encode?.number { link.configuration = sets }
        case (.sound(let time, let samples), .sound): take(samples, time, now)
        case (.picture, _), (.configuration, _), (.sound, _): statistics.drops.count(.outOfPlace)
        case (_, .video), (_, .sound): statistics.drops.count(.outOfPlace)
        case (.device(let device), .control):
            link.device = device
            becomeReady(now)
        case (.display(let display), .control): take(display, now)
        case (.encoding(let number, let size, let codec), .control): started(number, size, codec)
        case (.encodingFailed(let number, let stage, let reason), .control): refused(number, stage, reason, now)
        case (.clipboard(let text), .control):
            if link.ownClipboard == text { link.ownClipboard = nil } else { tell(.clipboard(text)) }
        case (.failed(let feature, let reason), .control): take(feature, reason)
        case (.pong(let number), .control):
            if number == link.ping, let pinged = link.pinged { statistics.roundTrip = now - pinged }
        case (.note(let text), .control): tell(.note(String(text.prefix(200))))
        }
    }

    private mutating func take(_ display: PhoneDisplay, _ now: Instant) {
        let before = link.display
        link.display = display
        if link.isNew { return becomeReady(now) }
        guard before?.size != display.size || before?.id != display.id else { return }
        // Fingers on the turned screen would be elsewhere.
        if let cancel = fingers.cancel() { order(.touch(cancel)) }
        makeLadder()
        startEncoder(now)
    }

    /// Both the phone and its display are known: pictures may be ordered.
    private mutating func becomeReady(_ now: Instant) {
        guard link.isNew, phase == .running, let device = link.device, let display = link.display, let serial else {
            return
        }
        link.isNew = false
        (stepEnds, patienceEnds, trouble, failures) = (nil, nil, nil, 0)
        retry.succeeded()
        hasBeenReady = true
        makeLadder()
        let encoders = device.encoders.map { encoder in
            "\(encoder.name): \(encoder.codec.encodingName), \(encoder.isHardware ? "hardware" : "software"), up to "
                + "\(encoder.largest) and \(encoder.bitrate / 1_000_000) Mbit/s, multiples of \(encoder.alignment)"
        }
        tell(.ready(serial: serial, model: device.model, screen: display.size, encoders: encoders))
        if link.ladder?.present == nil { return fail(.noEncoder) }
        startEncoder(now)
    }

    private mutating func take(_ samples: [UInt8], _ time: Int64, _ now: Instant) {
        statistics.sounds += 1
        tell(.sound(samples, captured: link.clock.instant(of: time, .sound, now: now)))
    }

    private mutating func take(_ feature: PhoneFeature, _ reason: String) {
        guard link.toldFailures.insert(feature).inserted else { return }
        let line = String(reason.prefix(200))
        let sentence =
            switch feature {
            case .input:
                "The phone refuses input. On Xiaomi, Redmi and POCO, switch on 'USB debugging (Security settings)' in its "
                    + "developer options; on others look for a switch of that kind."
            case .sound: "The phone's sound is not shared: its Android does not allow it."
            case .clipboard: "The phone's clipboard is not shared."
            case .screenPower: "The phone's screen stays on: it can't be switched off from here."
            case .startApp: "The app was not started."
            case .newDisplay: "The phone makes no new display: its own screen is shared."
            case .stayAwake: "The phone may fall asleep while it is shared."
            }
        tell(.note(line.isEmpty ? sentence : "\(sentence) (\(line))"))
    }
}
