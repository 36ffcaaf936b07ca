internal import HelioAdmission
internal import HelioControlWire
internal import HelioCore
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
private import HelioStores
internal import NIOCore
private import Synchronization

/// One connection attempt to a host, and the session that follows: runs on the event loop of its `HostWatch`, and
/// queues its news for the viewer's thread.
final class SinkConnection: DropCounting, Sendable {
    /// The setup of a connection: the viewer's limits and settings, and the microphone, clipboard and files that it
    /// shares.
    struct Setup: Sendable {
        var capabilities = StreamCapabilities()
        var suite: SuiteOptions?
        var transport = NetworkTransport.automatic
        /// True if a paired host that does not answer is woken, and tried again for two minutes.
        var wakesHost = false
        /// False if the host is to send no sound until `submit` requests it.
        var hearsHost = true
        /// True if the receiver decodes parts of frames that are still incomplete.
        var takesParts = false
        /// The user's microphone; `nil` if none is sent.
        var microphone: Microphone?
        /// The clipboard to share with the host while this viewer drives; `nil` for none.
        var clipboard: SharedClipboard?
        /// The exchange of files with the host; `nil` for none.
        var files: ViewerFiles?
    }

    enum News: Sendable {
        /// The name that the host gives itself.
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
        /// `nil` if there was no publisher before.
        case waiting(url: String, left: String?)
        /// A note for the user; the session continues.
        case note(String)
        /// The ticket for reconnecting.
        case ticket([UInt8])
        case ended(HelioError)
    }

    /// The maximum number of items of news that are queued without merging.
    private static let newsWaiting = 256

    private let target: ViewTarget
    private let setup: Setup
    private let receiver: any StreamReceiving
    private let bell: @Sendable () -> Void
    private let news = Mutex(EventQueue<News>(capacity: SinkConnection.newsWaiting))
    private let state = Mutex(State())

    private struct State {
        /// The task that connects, and passes on the requests made before.
        var attempt: Task<Void, Never>?
        var client: (any SinkTransport)?
        /// The call to the host by its rendezvous server; `nil` if none was made.
        var call: RendezvousCall?
        /// Requests made before the client existed; they are passed to it first.
        var waiting: [Request] = []
        /// True if the host allows control; if false, input is dropped instead of queued while the client does not
        /// exist.
        var allowsControl = false
        var isClosed = false
        /// The name that the host gives itself.
        var hostName: String?
        /// The number by which `ViewerFiles` identifies this connection.
        var fileSession: UInt64 = 0
        /// The number of requests that were dropped because there was no client yet.
        var refused = 0
    }

    private enum Request: Sendable {
        case input(InputEvent)
        case session(SinkSession.Input)
    }

    private static let requestsWaiting = 64

    /// Starts to connect, and returns at once.
    ///
    /// - Parameters:
    ///   - loop: the event loop of the session, which has to run until `close` has returned.
    ///   - receiver: kept alive until the connection is closed.
    ///   - bell: called on any thread when an item of news is queued.
    init(
        _ target: ViewTarget, _ setup: Setup, on loop: any EventLoop, to receiver: any StreamReceiving,
        bell: @escaping @Sendable () -> Void
    ) {
        self.target = target
        self.setup = setup
        self.receiver = receiver
        self.bell = bell
        setup.clipboard?.beginAnew()
        let attempt = Task { [self] in
            do throws(HelioError) {
                let made = try await connect(on: loop)
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
                setup.clipboard?.connect { made.submit(.clipboard($0)) }
            } catch {
                tell(.ended(error))
            }
        }
        state.withLock { $0.attempt = attempt }
    }

    private func connect(on loop: any EventLoop) async throws(HelioError) -> any SinkTransport {
        switch target {
        case .link(let link):
            var settings = SinkSession.Settings(
                capabilities: setup.capabilities, suite: setup.suite, transport: setup.transport.policy)
            settings.hearsHost = setup.hearsHost
            settings.speaks = setup.microphone != nil
            settings.handsOutParts = setup.takesParts
            settings.clipboard = setup.clipboard?.terms
            settings.clipboardPlace = setup.clipboard?.place
            if let files = setup.files {
                settings.files = files.token
                state.withLock { $0.fileSession = files.begin() }
            }
            let connector = HostConnector(
                link: link, settings: settings, transport: setup.transport, loop: loop, delegate: self)
            let onCall: @Sendable (RendezvousCall) -> Void = { [self] call in state.withLock { $0.call = call } }
            guard setup.wakesHost else { return try await connector.connect(onCall: onCall) }
            return try await WakingConnector(connector: connector) { [self] in tell(.note($0)) }
                .connect(onCall: onCall)
        case .stream(let address):
            return try await RTSPClient<RTSPPlayClient>.play(address, on: loop) { [self] in handle($0) }
        case .publisher(let options):
            return try await receive(options, on: loop)
        }
    }

    private func receive(
        _ options: PublisherOptions, on loop: any EventLoop
    ) async throws(HelioError) -> RTSPServer<RTSPRecordServer> {
        try options.validate()
        // The system may choose the port; nobody can publish before it is known.
        let port = Mutex(options.port)
        let server = try await RTSPServer<RTSPRecordServer>.start(options.settings, on: loop) { [self] event in
            handle(event) { options.url(port: port.withLock { $0 }) }
        }
        port.withLock { $0 = server.localPort }
        tell(.waiting(url: options.url(port: server.localPort), left: nil))
        return server
    }

    // MARK: Events

    private func handle(_ event: RTSPPlayClient.Event) {
        switch event {
        case .frame(let frame): take(frame)
        case .sound(let packet): receiver.take(.packet(packet))
        case .soundClock(let clock): receiver.take(.clock(clock))
        case .soundFormat(_, let format, let configuration): receiver.take(.begun(format, configuration: configuration))
        case .playing(let format, _): begin(format, allowsControl: false)
        case .noSound(let reason): tell(.note("The stream has no sound here: \(reason)."))
        case .ended(let error): tell(.ended(error))
        }
    }

    private func handle(_ event: RTSPRecordServer.Event, url: () -> String) {
        switch event {
        case .frame(let frame): take(frame)
        case .sound(let packet): receiver.take(.packet(packet))
        case .soundClock(let clock): receiver.take(.clock(clock))
        case .soundFormat(_, let format, let configuration): receiver.take(.begun(format, configuration: configuration))
        case .playing(let format, let address, _):
            tell(.note("\(address) publishes."))
            begin(format, allowsControl: false)
        case .noSound(let reason): tell(.note("There is no sound: \(reason)."))
        case .left(let address, let reason): tell(.waiting(url: url(), left: "\(address) \(reason)"))
        case .refused(let address, let reason): tell(.note("\(address) can't publish: \(reason)."))
        }
    }

    private func take(_ frame: ReceivedFrame) {
        if !receiver.take(frame) { submit(.keyframeNeeded) }
    }

    private func begin(_ format: VideoFormat, allowsControl: Bool) {
        state.withLock { $0.allowsControl = allowsControl }
        receiver.began(format, allowsControl: allowsControl)
        tell(.playing(format, allowsControl: allowsControl))
    }

    private func take(_ traffic: FileTraffic) {
        guard let files = setup.files, case .link(let link) = target else { return }
        let (session, name) = state.withLock { ($0.fileSession, $0.hostName) }
        let host = link.name ?? name.map { "\($0) (\(link.authority))" } ?? link.authority
        let isTaken = files.take(traffic, of: session, host: host) { [weak self] messages in
            self?.state.withLock { $0.client }?.send(files: messages)
        }
        if !isTaken { submit(.filesFlooded) }
    }

    /// Stores the place where the host is reached from any network, with its pairing. The session does not need it, so
    /// nobody is told if the store can't be written.
    private func learn(_ place: HostRendezvous) {
        guard case .link(let link) = target, let fingerprint = link.fingerprint, link.rendezvous != place else {
            return
        }
        Task.detached(priority: .utility) { try? HeliographHome.places.hosts.set(place, ofHostWith: fingerprint) }
    }

    /// Stores the addresses by which the host is woken, with its pairing; nobody is told of failures either.
    private func learn(_ wake: WakeAddresses) {
        guard case .link(let link) = target, let fingerprint = link.fingerprint else { return }
        Task.detached(priority: .utility) { try? HeliographHome.places.hosts.set(wake, ofHostWith: fingerprint) }
    }

    private func tell(_ item: News) {
        news.withLock { $0.put(item) }
        bell()
    }

    func takeNews() -> [News] { news.withLock { $0.takeAll() } }

    /// The number of dropped items of news, and of requests dropped because there was no connection yet, by reason.
    var allDrops: [String: Int] {
        .sum(news.withLock { $0.drops }, ["request-too-early": state.withLock { $0.refused }])
    }

    /// Sends the user's input synchronously, or queues it if there is no connection yet. Called on any thread.
    func send(_ event: InputEvent) {
        if let clipboard = setup.clipboard, state.withLock({ $0.allowsControl }), clipboard.acted(event) {
            submit(.clipboardTerms(clipboard.terms))
        }
        client(orKeep: .input(event))?.send(event)
    }

    /// Forwards a request to the session: for example for a keyframe, to pause or resume, or to turn sound on or off.
    /// Called on any thread.
    func submit(_ input: SinkSession.Input) { client(orKeep: .session(input))?.submit(input) }

    /// Returns the client. If it does not exist yet, queues the request for it, or counts the request as dropped, and
    /// returns `nil`.
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

    /// Requests the session's statistics, which arrive as an item of news.
    func askForStatistics() {
        Task { [self] in
            guard let client = state.withLock({ $0.client }) else { return }
            guard var statistics = await client.sessionStatistics() else { return }
            statistics.link = await state.withLock { $0.call }?.link()
            tell(.statistics(statistics, client.controlStatistics))
        }
    }

    /// Gives up the attempt to connect, or ends the session with a goodbye to the host, and frees its resources.
    func close() async {
        let attempt = state.withLock { state in
            state.isClosed = true
            return state.attempt
        }
        attempt?.cancel()
        await attempt?.value
        // The client stays until its end, because the host may still fetch the clipboard's content.
        await state.withLock { $0.client }?.stop()
        await state.withLock { $0.call }?.finish()
        // After this, no call may use the event loop, which may be about to end.
        state.withLock { $0.client = nil }
    }
}

extension SinkConnection: SinkClientDelegate {
    func handle(_ event: SinkSession.Event) {
        switch event {
        case .part(let part): receiver.take(part)
        case .frame(let frame):
            setup.files?.shared.count(pictures: frame.annexB.count)
            take(frame)
        case .sound(let packet): receiver.take(.packet(packet))
        case .soundClock(let clock): receiver.take(.clock(clock))
        case .voiceWanted(let demand): setup.microphone?.take(demand)
        case .voiceRefused: tell(.note("The host does not hear viewers: your microphone stays off."))
        case .playing(let format, let control, _):
            receiver.take(.begun(.standard, configuration: []))
            begin(format, allowsControl: control.allowsControl)
        case .terms(let terms): receiver.take(terms)
        case .rendezvous(let place): learn(place)
        case .wake(let wake): learn(wake)
        case .hostName(let name):
            state.withLock { $0.hostName = name }
            tell(.hostName(name))
        case .suite(let agreement): if let summary = agreement.summary { tell(.note(summary)) }
        case .transport(_, let reason): tell(.note(reason.viewerSentence))
        case .controlInside: tell(.note("The host's port for input is blocked here: input goes over TCP."))
        case .clipboard(let order): setup.clipboard?.carryOut(order)
        case .files(let traffic): take(traffic)
        // The client itself handles this event, by ending the session.
        case .handedOver: break
        case .cursorShape(let shape): tell(.cursorShape(shape))
        case .permission(let allowsControl):
            state.withLock { $0.allowsControl = allowsControl }
            tell(.permission(allowsControl: allowsControl))
        case .monitors(let list, let selected): tell(.monitors(MonitorChoice(list: list, selected: selected)))
        case .admitted(let ticket): tell(.ticket(ticket.bytes))
        case .ended(let error): tell(.ended(error))
        }
    }

    func cursorMoved(x: Float, y: Float) { tell(.cursorMoved(x: x, y: y)) }

    func driverChanged(to driver: Driver) {
        if let clipboard = setup.clipboard, clipboard.heard(driver) { submit(.clipboardTerms(clipboard.terms)) }
        tell(.driver(driver))
    }

    func controlRequested(by name: String) { tell(.controlRequested(by: name)) }
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
