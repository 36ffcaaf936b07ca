internal import ArgumentParser
private import HelioCore
internal import HelioWebRTC
internal import Heliograph

/// A connection of `heliograph webrtc`, from the first description to the last event.
actor WebRTCRun {
    /// The reason for the end of a run.
    private enum End: Sendable {
        case stopped
        case timeUp
        case windowClosed
        case peerLeft
        case failed(any Error)
    }

    private let arguments: WebRTCArguments
    private let kind: SignalledDescription.Kind
    private let exchange: any DescriptionExchange
    private let input: InputLines
    private let peer: PeerConnection
    private let receiver: PictureReceiver
    private var sender: PictureSender?
    /// The channels that this end has opened. Typed text is sent on the first channel.
    private var channels: [DataChannel] = []
    private var echoes: [DataChannel: ChannelEcho] = [:]
    private var report = PeerReport()
    private var state = PeerState.new
    private var failure: String?
    private var tasks: [Task<Void, Never>] = []
    private var readsTerminal = false
    private let ends: AsyncStream<End>
    private let over: AsyncStream<End>.Continuation

    static func run(_ arguments: WebRTCArguments, as kind: SignalledDescription.Kind) async throws {
        let screen = try arguments.screenOptions()
        let options = try arguments.peerOptions()
        if let screen, arguments.send == .screen { try await check(screen) }
        StopSignals.take()
        let endpoint = try await WebRTCEndpoint.open(arguments.endpointOptions())
        do {
            if arguments.json {
                try await JSONPeer.run(arguments, as: kind, options, screen, on: endpoint)
            } else {
                try await connect(arguments, as: kind, options, screen, on: endpoint)
            }
        } catch {
            await endpoint.close()
            throw error
        }
        await endpoint.close()
    }

    /// Checks that there is a screen to send, before the user pastes a description.
    private static func check(_ options: ScreenStream.Options) async throws {
        try await ScreenStream.start(options).stop()
    }

    private static func connect(
        _ arguments: WebRTCArguments, as kind: SignalledDescription.Kind, _ options: PeerConnection.Options,
        _ screen: ScreenStream.Options?, on endpoint: WebRTCEndpoint
    ) async throws {
        let input = InputLines()
        defer { input.restoreTerminal() }
        let exchange: any DescriptionExchange
        if let offerFile = arguments.offerFile, let answerFile = arguments.answerFile {
            let files = FileExchange(offerFile: offerFile, answerFile: answerFile)
            if kind == .offer { try files.checkBeforeOffer() }
            exchange = files
        } else {
            exchange = TerminalExchange(input: input)
        }
        let file = try arguments.save.map { try PictureFile($0) }
        let peer = try await endpoint.connect(options)
        let wishes = KeyframeWishes()
        let decoder = arguments.play ? PictureDecoder(needKeyframe: { wishes.wish() }) : nil
        let run = WebRTCRun(
            arguments, kind, exchange, input, peer, PictureReceiver(decoder: decoder, file: file))
        do {
            try await run.go(screen, decoder, wishes)
        } catch {
            await peer.close()
            throw error
        }
        await peer.close()
        if let file, let path = arguments.save { say("Saved \(await file.frames) pictures to \(path).") }
    }

    private init(
        _ arguments: WebRTCArguments, _ kind: SignalledDescription.Kind, _ exchange: any DescriptionExchange,
        _ input: InputLines, _ peer: PeerConnection, _ receiver: PictureReceiver
    ) {
        self.arguments = arguments
        self.kind = kind
        self.exchange = exchange
        self.input = input
        self.peer = peer
        self.receiver = receiver
        (ends, over) = AsyncStream.makeStream(of: End.self)
    }

    // MARK: The run

    private func go(
        _ screen: ScreenStream.Options?, _ decoder: PictureDecoder?, _ wishes: KeyframeWishes
    ) async throws {
        let over = over
        watch { run in
            for await event in run.peer.events { await run.take(event) }
            over.yield(.peerLeft)
        }
        watch { _ in
            await StopSignals.wait()
            over.yield(.stopped)
        }
        watch { run in
            for await _ in wishes.all { await run.askForKeyframe() }
        }
        // The task reads what the user pastes, which can't be cancelled, so it is never joined.
        Task { [self] in
            do {
                try await negotiate(screen)
            } catch {
                over.yield(.failed(error))
            }
        }
        if arguments.statistics.stats {
            let interval = arguments.statistics.interval
            watch { run in
                while (try? await Task.sleep(for: interval)) != nil { await run.tellStatistics() }
            }
        }
        let window = decoder.map { decoder in
            Task { @MainActor in
                do {
                    try PictureWindow(decoder, title: "Heliograph: WebRTC").run()
                    over.yield(.windowClosed)
                } catch {
                    over.yield(.failed(error))
                }
            }
        }
        var end = End.stopped
        for await first in ends {
            end = first
            break
        }
        for task in tasks { task.cancel() }
        await sender?.stop()
        decoder?.close()
        await window?.value
        switch end {
        case .failed(let error): throw error
        case .peerLeft:
            if let failure { throw HelioError(.unreachable, failure) }
            say("The other side has left.")
        case .timeUp: say("The time is up.")
        case .stopped, .windowClosed: break
        }
    }

    private func watch(_ body: @escaping @Sendable (WebRTCRun) async -> Void) {
        tasks.append(Task { await body(self) })
    }

    // MARK: Descriptions

    private func negotiate(_ screen: ScreenStream.Options?) async throws {
        if kind == .answer {
            try await peer.takeOffer(try await take(.offer))
        }
        if let screen {
            sender = PictureSender(try await peer.addVideoTrack(stream: "heliograph"), screen)
        } else if kind == .offer, arguments.takesPicture {
            try await peer.receiveVideo()
        }
        for label in arguments.channel { channels.append(try await peer.openChannel(label)) }
        let first = kind == .offer ? try await peer.makeOffer() : try await peer.makeAnswer()
        let complete = await peer.completeDescription()
        try await exchange.give(SignalledDescription(kind, complete ?? first))
        if kind == .offer {
            try await peer.takeAnswer(try await take(.answer))
        }
        // The description was complete, so there are no further candidates.
        try await peer.addCandidate(nil)
    }

    private func take(_ kind: SignalledDescription.Kind) async throws -> String {
        let sdp = try await exchange.take(kind).sdp
        if arguments.lite, sdp.split(whereSeparator: \.isNewline).contains("a=ice-lite") {
            throw ValidationError("Both sides only wait to be found: give --lite at one of them.")
        }
        return sdp
    }

    // MARK: Events

    private func take(_ event: PeerEvent) async {
        switch event {
        case .negotiationNeeded, .candidate: break
        case .state(let next): await enter(next)
        case .failure(let why): failure = "There is no connection: \(why)."
        case .channelOpened(let channel):
            say("Channel '\(PeerText.shown(channel.label))' is open\(channel.isByPeer ? ", the other side's" : "").")
            if channel == channels.first { readTerminal(for: channel) }
        case .message(let channel, let message):
            tell(message, on: channel)
            if arguments.echo { await sendBack(message, on: channel) }
        case .channelClosed(let channel):
            echoes[channel] = nil
            say("Channel '\(PeerText.shown(channel.label))' is closed.")
        case .video(let picture):
            do {
                if try await !receiver.take(picture) { await peer.needKeyframe(on: picture.track) }
            } catch {
                over.yield(.failed(error))
            }
        case .keyframeNeeded: await sender?.requestKeyframe()
        case .estimatedBitrate(let bits): await sender?.setBitrate(bits)
        case .sound: break
        case .serverUnusable(let why): say(why)
        case .relayFailed(let why): say("A TURN server is of no use: \(why).")
        }
    }

    private func enter(_ next: PeerState) async {
        let wasConnected = state == .connected || state == .disconnected
        state = next
        switch next {
        case .new: break
        case .connecting: say("Connecting.")
        case .connected:
            say(wasConnected ? "Connected again." : "Connected: \(await peer.statistics().path?.description ?? "").")
            await send()
            if let seconds = arguments.seconds, !wasConnected {
                let over = over
                watch { _ in
                    guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                    over.yield(.timeUp)
                }
            }
        case .disconnected: say("The other side does not answer; it may come back.")
        case .failed:
            over.yield(
                .failed(
                    HelioError(
                        .unreachable,
                        (failure ?? "There is no connection: no way to the other side works.")
                            + " Where both sides are on different networks, give --ice-server.")))
        case .closed: break
        }
    }

    private func send() async {
        guard let sender else { return }
        let over = over
        do {
            if let news = try await sender.begin(onFailure: { over.yield(.failed($0)) }) { say(news) }
        } catch {
            over.yield(.failed(error))
        }
    }

    private func askForKeyframe() async {
        if let track = await receiver.shownTrack { await peer.needKeyframe(on: track) }
    }

    private func tell(_ message: DataMessage, on channel: DataChannel) {
        let label = PeerText.shown(channel.label)
        switch message {
        case .text(let text): say("\(label): \(PeerText.shown(text))")
        case .binary(let bytes): say("\(label): \(bytes.count) bytes")
        }
    }

    private func sendBack(_ message: DataMessage, on channel: DataChannel) async {
        let label = PeerText.shown(channel.label)
        let echo =
            echoes[channel] ?? ChannelEcho(channel, onFailure: { say("Not sent back on '\(label)': \($0.message).") })
        echoes[channel] = echo
        if await !echo.put(message) { say("Not sent back on '\(label)': too much waits.") }
    }

    private func readTerminal(for channel: DataChannel) {
        guard !readsTerminal else { return }
        readsTerminal = true
        if TerminalQuestion.isPossible { say("What you type goes out on '\(channel.label)', line by line.") }
        let (input, over) = (input, over)
        // The task reads what the user types, which can't be cancelled, so it is never joined.
        Task {
            do {
                while let line = try await input.next() { try await channel.send(.text(line)) }
            } catch let error as HelioError where error.code == .ended {
                // This error is ignored, as the end of the channel or the connection is reported separately.
            } catch {
                over.yield(.failed(error))
            }
        }
    }

    private func tellStatistics() async {
        let statistics = await peer.statistics()
        var drops = statistics.drops
        drops.add(await receiver.drops, ["network-too-slow": await sender?.dropped ?? 0])
        let (sent, received, saved) = (await sender?.sent ?? 0, await receiver.received, await receiver.saved)
        say(report.line(statistics, state: state, sent: sent, received: received, saved: saved, drops: drops))
    }
}
