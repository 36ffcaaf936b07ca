internal import HelioAdmission
internal import HelioControlWire
internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioMedia
private import HelioProtection
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioRemote
internal import HelioServing
internal import HelioSession
internal import HelioSharing
internal import HelioSound
private import NIOCore
private import NIOPosix
private import Synchronization

/// One connection attempt to a host, and the session that follows: runs on an event loop of its own, and queues its
/// news for the viewer's thread.
final class SinkConnection: Sendable {
    enum News: Sendable {
        /// The host's name, as it calls itself.
        case hostName(String)
        case playing(VideoFormat, allowsControl: Bool)
        case cursorShape(CursorShape)
        case permission(allowsControl: Bool)
        case cursorMoved(x: Float, y: Float)
        case driver(Driver)
        case controlRequested(by: String)
        case monitors(MonitorChoice)
        case statistics(SinkStatistics, ViewerControl.Statistics?)
        /// Another program may publish its stream to `url` now; `left` is the reason why the last publisher has left,
        /// `nil` for the first time.
        case waiting(url: String, left: String?)
        /// A note for the person; the session goes on.
        case note(String)
        /// The ticket for reconnecting.
        case ticket([UInt8])
        case ended(HelioError)
    }

    /// The number of queued news from which on they are merged.
    private static let newsWaiting = 256

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let news = Mutex(EventQueue<News>(capacity: SinkConnection.newsWaiting))
    private let bell: @Sendable () -> Void
    private let clipboard: SharedClipboard?
    private let state = Mutex(State())

    private struct State {
        var client: (any SinkTransport)?
        /// Requests made before the client existed, to be sent once it does.
        var waiting: [Request] = []
        /// True if the host allows control. Otherwise input before the connection is dropped instead of queued.
        var allowsControl = false
        var isClosed = false
        /// The host's name, as it calls itself.
        var hostName: String?
        /// The target bitrate that the host last reported.
        var coded: Bitrate?
        /// The number of requests that were dropped because there was no client yet.
        var refused = 0
    }

    private enum Request: Sendable {
        case input(InputEvent)
        case session(SinkSession.Input)
    }

    private static let requestsWaiting = 64

    /// Starts to connect; returns at once.
    ///
    /// - Parameters:
    ///   - hearsHost: false if the host's sound is not wanted until `submit` changes that.
    ///   - onFrame: called on the event loop with each frame; returns false to request a keyframe.
    ///   - onPart: called on the event loop with each part that can be decoded before its frame is complete; `nil` for
    ///     none.
    ///   - onPlaying: called on the event loop before the first frame.
    ///   - onTerms: called on the event loop when the agreed terms or the target bitrate have changed.
    ///   - onSound: called on the event loop with each packet of sound, and with changes of its format and clock.
    ///   - onVoice: called on the event loop with the encode of the person's voice that the host wants; `nil` if the
    ///     voice is not to be sent.
    ///   - clipboard: shared with the host while this viewer drives; `nil` for none.
    ///   - files: the person's exchange of files; `nil` for none.
    ///   - bell: called on any thread when news are queued.
    init(
        _ target: ViewTarget, capabilities: StreamCapabilities = StreamCapabilities(), suite: SuiteOptions? = nil,
        transport: TransportPolicy = .automatic, hearsHost: Bool = true,
        onFrame: @escaping @Sendable (ReceivedFrame) -> Bool,
        onPart: (@Sendable (ReceivedPart) -> Void)? = nil,
        onPlaying: @escaping @Sendable (VideoFormat, _ allowsControl: Bool) -> Void = { _, _ in },
        onTerms: @escaping @Sendable (StreamTerms) -> Void = { _ in },
        onSound: @escaping @Sendable (SoundNews) -> Void = { _ in },
        onVoice: (@Sendable (SoundDemand) -> Void)? = nil,
        clipboard: SharedClipboard? = nil, files: ViewerFiles? = nil,
        bell: @escaping @Sendable () -> Void
    ) {
        self.bell = bell
        self.clipboard = clipboard
        clipboard?.beginAnew()
        let loop = group.next()
        loop.execute { ThreadPriority.raise() }
        Task { [self] in
            do throws(HelioError) {
                let made: any SinkTransport
                switch target {
                case .link(let link):
                    var settings = SinkSession.Settings(
                        capabilities: capabilities, suite: suite, transport: transport)
                    settings.hearsHost = hearsHost
                    settings.speaks = onVoice != nil
                    settings.handsOutParts = onPart != nil
                    settings.clipboard = clipboard?.terms
                    settings.clipboardPlace = clipboard?.place
                    settings.files = files?.token
                    let session = files?.begin()
                    made = try await SinkClient.connect(
                        link, settings: settings, on: loop,
                        onEvent: { [self] event in
                            if case .clipboard(let order) = event { clipboard?.carryOut(order) }
                            if case .frame(let frame) = event { files?.shared.count(pictures: frame.annexB.count) }
                            if case .files(let traffic) = event, let session {
                                let told = state.withLock { $0.hostName }.map { "\($0) (\(link.authority))" }
                                let host = link.name ?? told ?? link.authority
                                let isTaken = files?.take(traffic, of: session, host: host) { [weak self] in
                                    self?.send(files: $0)
                                }
                                if isTaken == false { submit(.filesFlooded) }
                            }
                            take(event, onFrame, onPart, onPlaying, onTerms, onSound, onVoice)
                        },
                        onCursor: { [self] x, y in tell(.cursorMoved(x: x, y: y)) },
                        onDriver: { [self] driver in
                            if let clipboard, clipboard.heard(driver) { submit(.clipboardTerms(clipboard.terms)) }
                            tell(.driver(driver))
                        },
                        onControlRequest: { [self] name in tell(.controlRequested(by: name)) })
                case .stream(let address):
                    made = try await RTSPClient<RTSPPlayClient>.play(
                        address, on: loop, onEvent: { [self] event in take(event, onFrame, onPlaying, onSound) })
                case .publisher(let options):
                    made = try await receive(options, on: loop, onFrame, onPlaying, onSound)
                }
                let waiting = state.withLock { state in
                    state.client = made
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for request in waiting {
                    switch request {
                    case .input(let event): made.send(event)
                    case .session(let input): made.submit(input)
                    }
                }
                clipboard?.connect { made.submit(.clipboard($0)) }
            } catch {
                tell(.ended(error))
            }
        }
    }

    private func take(
        _ event: SinkSession.Event, _ onFrame: (ReceivedFrame) -> Bool, _ onPart: ((ReceivedPart) -> Void)?,
        _ onPlaying: (VideoFormat, Bool) -> Void, _ onTerms: (StreamTerms) -> Void, _ onSound: (SoundNews) -> Void,
        _ onVoice: ((SoundDemand) -> Void)?
    ) {
        switch event {
        case .part(let part): onPart?(part)
        case .frame(let frame): if !onFrame(frame) { submit(.keyframeNeeded) }
        case .sound(let packet): onSound(.packet(packet))
        case .soundClock(let clock): onSound(.clock(clock))
        case .voiceWanted(let demand): onVoice?(demand)
        case .voiceRefused:
            tell(.note("The host does not hear viewers: your microphone stays off."))
        case .playing(let format, let control, _):
            onSound(.begun(.standard, configuration: []))
            state.withLock { state in
                state.allowsControl = control.allowsControl
                state.coded = format.bitrate
            }
            onPlaying(format, control.allowsControl)
            tell(.playing(format, allowsControl: control.allowsControl))
        case .terms(let terms):
            onTerms(terms)
            state.withLock { $0.coded = terms.coded }
        case .hostName(let name):
            state.withLock { $0.hostName = name }
            tell(.hostName(name))
        case .suite(let agreement): if let summary = agreement.summary { tell(.note(summary)) }
        case .transport(_, let reason): tell(.note(reason.viewerSentence))
        // Handled above.
        case .clipboard, .files, .handedOver: break
        case .controlInside: tell(.note("The host's port for input is blocked here: input goes over TCP."))
        case .cursorShape(let shape): tell(.cursorShape(shape))
        case .permission(let allowsControl):
            state.withLock { $0.allowsControl = allowsControl }
            tell(.permission(allowsControl: allowsControl))
        case .monitors(let list, let selected): tell(.monitors(MonitorChoice(list: list, selected: selected)))
        case .admitted(let ticket): tell(.ticket(ticket.bytes))
        case .ended(let error): tell(.ended(error))
        }
    }

    private func take(
        _ event: RTSPPlayClient.Event, _ onFrame: (ReceivedFrame) -> Bool, _ onPlaying: (VideoFormat, Bool) -> Void,
        _ onSound: (SoundNews) -> Void
    ) {
        switch event {
        case .frame(let frame): if !onFrame(frame) { submit(.keyframeNeeded) }
        case .playing(let format, _):
            onPlaying(format, false)
            tell(.playing(format, allowsControl: false))
        case .soundFormat(_, let format, let configuration): onSound(.begun(format, configuration: configuration))
        case .sound(let packet): onSound(.packet(packet))
        case .soundClock(let clock): onSound(.clock(clock))
        case .noSound(let reason): tell(.note("The stream has no sound here: \(reason)."))
        case .ended(let error): tell(.ended(error))
        }
    }

    private func receive(
        _ options: PublisherOptions, on loop: any EventLoop, _ onFrame: @escaping @Sendable (ReceivedFrame) -> Bool,
        _ onPlaying: @escaping @Sendable (VideoFormat, Bool) -> Void, _ onSound: @escaping @Sendable (SoundNews) -> Void
    ) async throws(HelioError) -> RTSPServer<RTSPRecordServer> {
        try options.validate()
        // The system may choose the port; nobody can publish before it is known.
        let port = Mutex(options.port)
        let server = try await RTSPServer<RTSPRecordServer>.start(options.settings, on: loop) { [self] event in
            switch event {
            case .frame(let frame): if !onFrame(frame) { submit(.keyframeNeeded) }
            case .playing(let format, let address, _):
                tell(.note("\(address) publishes."))
                onPlaying(format, false)
                tell(.playing(format, allowsControl: false))
            case .soundFormat(_, let format, let configuration): onSound(.begun(format, configuration: configuration))
            case .sound(let packet): onSound(.packet(packet))
            case .soundClock(let clock): onSound(.clock(clock))
            case .noSound(let reason): tell(.note("There is no sound: \(reason)."))
            case .left(let address, let reason):
                tell(.waiting(url: options.url(port: port.withLock { $0 }), left: "\(address) \(reason)"))
            case .refused(let address, let reason): tell(.note("\(address) can't publish: \(reason)."))
            }
        }
        port.withLock { $0 = server.localPort }
        tell(.waiting(url: options.url(port: server.localPort), left: nil))
        return server
    }

    private func tell(_ item: News) {
        news.withLock { $0.put(item) }
        bell()
    }

    func takeNews() -> [News] { news.withLock { $0.takeAll() } }

    /// The number of dropped news, and of requests made before there was a connection, by reason.
    var drops: [String: Int] {
        var drops = news.withLock { $0.namedDrops }
        let refused = state.withLock { $0.refused }
        if refused > 0 { drops["request-too-early"] = refused }
        return drops
    }

    /// Sends the person's input before this returns; queues it while there is no connection yet. Called on any thread.
    func send(_ event: InputEvent) {
        if let clipboard, state.withLock({ $0.allowsControl }), clipboard.acted(event) {
            submit(.clipboardTerms(clipboard.terms))
        }
        client(orKeep: .input(event))?.send(event)
    }

    /// Forwards a request of the viewer's: a keyframe, pause or resume, sound or none. Called on any thread.
    func submit(_ input: SinkSession.Input) { client(orKeep: .session(input))?.submit(input) }

    /// Returns the client; before there is one, queues the request for it.
    private func client(orKeep request: Request) -> (any SinkTransport)? {
        state.withLock { state in
            let isAllowed =
                switch request {
                case .input: state.allowsControl
                case .session: true
                }
            if let client = state.client { return client }
            if isAllowed, !state.isClosed, state.waiting.count < Self.requestsWaiting {
                state.waiting.append(request)
            } else {
                state.refused += 1
            }
            return nil
        }
    }

    /// Sends messages about files, within the session's credit. Called on any thread.
    private func send(files messages: [[UInt8]]) {
        (state.withLock { $0.client } as? SinkClient)?.send(files: messages)
    }

    /// Requests the session's statistics, which arrive as news.
    func askForStatistics() {
        Task { [self] in
            guard let client = state.withLock({ $0.client }) else { return }
            guard let statistics = await client.sessionStatistics() else { return }
            tell(.statistics(statistics, client.controlStatistics))
        }
    }

    /// Ends the session with a goodbye to the host, and frees its resources.
    func close() async {
        await state.withLock { $0.client }?.stop()
        // After this, no call may use the event loop, which is about to end.
        state.withLock { ($0.client, $0.isClosed) = (nil, true) }
        try? await group.shutdownGracefully()
    }
}

extension SinkConnection.News: QueuedEvent {
    var standing: EventStanding {
        switch self {
        case .ended: .kept
        case .playing, .waiting: .newest("stage")
        case .cursorShape: .newest("cursor-shape")
        case .cursorMoved: .newest("cursor")
        case .permission: .newest("permission")
        case .driver: .newest("driver")
        case .controlRequested: .newest("request")
        case .monitors: .newest("monitors")
        case .hostName: .newest("host-name")
        case .statistics: .newest("statistics")
        case .ticket: .newest("ticket")
        case .note(let text): .repeated(text)
        }
    }
}
