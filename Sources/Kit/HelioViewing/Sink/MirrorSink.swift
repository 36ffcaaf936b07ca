internal import HelioAdmission
internal import HelioControlWire
public import HelioCore
private import HelioLoop
private import HelioRTP
internal import HelioRemote
internal import HelioSession
private import HelioSound
private import Synchronization

/// Watches a source without a window: coded frames go to an app's own decoder, and the person's input goes back.
///
/// ```swift
/// let sink = try MirrorSink(link: text)
/// sink.start()
/// for await event in sink.events {
///     if case .received(_, let frame) = event { decode(frame) }
/// }
/// ```
///
/// A source that vanishes is tried again for two minutes. The sink lives until `stop` or the session's end. ``Viewer``
/// is the same with a decoder and a window.
public final class MirrorSink: Sendable {
    /// The options of a sink, set before `start`.
    public struct Options: Sendable {
        /// The codecs that the app decodes, best first.
        public var formats = MediaAttributes.Format.allCases
        /// The codecs that the app decodes by hardware: a source that has H.265 in hardware too then sends that.
        public var hardwareFormats: Set<MediaAttributes.Format> = []
        /// The largest picture that the app takes, in pixels; `nil` = any.
        public var largest: PixelSize?
        /// The most frames a second that the app takes; `nil` = any number.
        public var framesPerSecond: Int?
        /// The most bits a second that the app takes; `nil` = any number.
        public var bitrate: Int?
        /// True where the app can show 4:4:4.
        public var takesFullChroma = true
        /// The form in which sound comes; without it, the source sends none.
        public var sound = Sound.off
        /// One of the specification's suites, for a source that chose it too; `nil` is AES-GCM.
        public var protection: ProtectionOptions?
        /// The transports that picture and input may go by, between Heliograph's own ends.
        public var transport = NetworkTransport.automatic
        /// How this system's clipboard is shared with the source while this sink drives; `nil`: it is not.
        public var clipboard: ClipboardOptions?
        /// How files go between this system and the source; `nil`: they don't. The app asks its person when `files` tells
        /// that the source offers some.
        public var files: FileOptions?

        /// Makes options without limits.
        public init() {}
    }

    /// The form in which a sink takes sound.
    public enum Sound: String, Sendable, CaseIterable {
        /// None: the source sends none.
        case off
        /// In coded packets as they arrive: to the plugin for sound or, without one, as events.
        case coded
        /// As samples, evened out and made up for where packets are lost: the app's output asks for them by
        /// `render(_:heardIn:)`.
        case samples
    }

    /// The viewer that drives the source.
    public enum Driver: Sendable, Hashable {
        /// Nobody: the viewer that acts next will drive.
        case nobody
        /// This sink.
        case you
        /// Another viewer, by the name that it gave itself.
        case other(name: String)
    }

    /// An event of a sink's session.
    public enum Event: Sendable {
        /// The source has admitted this sink.
        case connected
        /// Media begins to flow, with the attributes that both ends agreed on.
        case played(MediaAttributes, allowsControl: Bool)
        /// The stream has other attributes from the next frame on.
        case changed(MediaAttributes)
        /// The source takes input from this sink now, or no longer.
        case permission(allowsControl: Bool)
        /// The viewer that drives the source has changed: one viewer at a time drives.
        case driver(Driver)
        /// A viewer of that name asks to drive in this sink's stead. `SinkInput.handOver` lets it.
        case controlRequested(name: String)
        /// The source's monitors, or which of them is shown: `selectMonitor` chooses.
        case monitors([Monitor], selected: Monitor.ID?)
        /// A frame, where no plugin takes them.
        case received(Medium, EncodedFrame)
        /// A packet of sound, where no plugin takes them. Packets come as they arrive, each once.
        case receivedSound(EncodedSoundPacket, of: SoundInput)
        /// Media is held back at this sink's request.
        case paused(Medium)
        /// Media flows again.
        case resumed(Medium)
        /// Something worth knowing; the session goes on.
        case info(String)
        /// The connection is lost; the source is tried again.
        case disconnected(reason: String)
        /// The session is over, for this reason: the last event.
        case ended(HelioError)
    }

    /// The session's events; ends with the session. For one reader.
    public let events: SinkEvents

    private struct State {
        var host: WatchedHost
        var connection: SinkConnection?
        var isPaused = false
        var isSoundPaused = false
        var isStopped = false
        var firstTime: Int64?
        /// The stream's attributes, as far as they are known.
        var attributes: MediaAttributes?
        var monitors = MonitorChoice()
        /// The viewer that drives.
        var driver = Driver.nobody
        var allowsControl = false
        var runner: Task<Void, Never>?
        /// The drops of connections that are over.
        var earlierDrops: [String: Int] = [:]
    }

    private let options: Options
    private let suite: SuiteOptions?
    private let plugin: (any VideoSinkPlugin)?
    /// Sorts coded sound for the app; `nil` where it takes none so.
    private let coded: CodedSound?
    /// This system's clipboard; `nil` where it is not shared.
    private let clipboard: SharedClipboard?
    private let viewerFiles: ViewerFiles?
    /// The files that go between this system and the source; `nil` where they don't.
    public var files: SharedFiles? { viewerFiles?.shared }
    /// Makes samples of sound; `nil` where the app takes none so.
    private let mixer: SoundMixer?
    private let state: Mutex<State>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - link: the link that the sharing machine shows; or its address.
    ///   - code: the code that the host was started with, for its address as the link; pairs this device with it.
    ///   - options: the limits of what this sink takes.
    ///   - plugin: an app's own decoder; without one, frames come as events.
    ///   - soundPlugin: takes coded sound, where the options ask for that; without one, it comes as events.
    ///
    /// Throws `invalidArgument` for a damaged link, and for a suite that protects nothing.
    public convenience init(
        link: String, code: String? = nil, options: Options = Options(), video plugin: (any VideoSinkPlugin)? = nil,
        audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, plugin, soundPlugin)
    }

    /// Watches a host that was found on the network: with a code, or paired with this machine.
    ///
    /// Throws `invalidArgument` where it is neither.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Options = Options(),
        video plugin: (any VideoSinkPlugin)? = nil, audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, plugin, soundPlugin)
    }

    /// Waits for another program to publish its stream here; an `info` event gives the URL. The stream comes as one
    /// from a source does, and when the publisher has left, the next one may come.
    ///
    /// Throws `invalidArgument` where anybody on the network could publish.
    public convenience init(
        receiving publisher: PublisherOptions, options: Options = Options(),
        video plugin: (any VideoSinkPlugin)? = nil, audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try publisher.validate()
        try self.init(.publisher(publisher), options, plugin, soundPlugin)
    }

    private init(
        _ target: ViewTarget, _ options: Options, _ plugin: (any VideoSinkPlugin)?,
        _ soundPlugin: (any AudioSinkPlugin)?, platform: (any SoundPlatform)? = systemSink.sound
    ) throws(HelioError) {
        self.options = options
        coded = options.sound == .coded ? CodedSound(soundPlugin) : nil
        if options.sound == .samples {
            guard let platform else { throw HelioError(.unsupported, "Sound can't be decoded on this system.") }
            mixer = SoundMixer(of: platform)
            mixer?.set(.standard)
        } else {
            mixer = nil
        }
        viewerFiles = if let wanted = options.files, !target.isForeign { try ViewerFiles(wanted) } else { nil }
        clipboard =
            if let wanted = options.clipboard, !target.isForeign {
                try SharedClipboard(wanted, isViewers: true) { handler throws(HelioError) in
                    try systemSink.openClipboard(marked: wanted.includesMarked, handler: handler)
                }
            } else {
                nil
            }
        suite = try options.protection?.suiteOptions(for: target)
        self.plugin = plugin
        state = Mutex(State(host: WatchedHost(target)))
        events = SinkEvents()
        (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects, and reports by events. Call it once.
    public func start() {
        let isFirst = state.withLock { state in
            if state.isStopped || state.runner != nil { return false }
            // One task a session: it turns news into events, and tries a lost source again.
            state.runner = Task { [self] in await run() }
            return true
        }
        if isFirst { connect() }
    }

    /// Ends the session in good order; keys and buttons that are held down at the source are released.
    public func stop() async {
        let runner = state.withLock { state in
            state.isStopped = true
            return state.runner
        }
        ring.yield()
        await runner?.value
        events.finish()
    }

    /// Holds media back: the source sends none to this sink, and codes none when nobody else watches. Video that is held
    /// back holds sound back, too.
    public func pause(_ medium: Medium) { medium == .audio ? setSoundPaused(true) : setPaused(true, medium) }

    /// Lets media flow again, video from a keyframe on.
    public func resume(_ medium: Medium) { medium == .audio ? setSoundPaused(false) : setPaused(false, medium) }

    /// Fills samples with the source's sound, 48 kHz stereo, the left one of each pair first; with silence where there is none. For an
    /// app's output of sound, where `Options.sound` is `samples`: call it on one thread, whenever the output wants more. It
    /// never blocks.
    ///
    /// - Parameters:
    ///   - samples: interleaved, between -1 and 1.
    ///   - delay: the time until the first of the samples is heard.
    public func render(_ samples: inout MutableSpan<Float>, heardIn delay: Duration = .zero) {
        if let mixer { return mixer.render(&samples, heard: MonotonicClock.now + delay) }
        for index in samples.indices { samples[index] = 0 }
    }

    /// Sends the person's input. Before `played`, and where the source allows no control, nothing happens.
    public func send(_ input: SinkInput) {
        state.withLock { $0.connection }?.send(input.event)
    }

    /// Items that were dropped at this end since the start, counted by reason: frames and events that nobody took, and
    /// requests that came before there was a connection.
    public var drops: [String: Int] {
        let connections = state.withLock { state in
            state.earlierDrops.merging(state.connection?.drops ?? [:]) { $0 + $1 }
        }
        return connections.merging(events.drops) { $0 + $1 }.merging(mixer?.report.drops ?? [:]) { $0 + $1 }
    }

    var choice: MonitorChoice { state.withLock { $0.monitors } }

    /// Asks for a monitor. Throws `refused` where this sink may not choose.
    func choose(_ monitor: Monitor.ID) throws(HelioError) {
        let (connection, allowsControl, driver) = state.withLock { ($0.connection, $0.allowsControl, $0.driver) }
        guard allowsControl else { throw HelioError(.refused, "The source lets this sink watch only.") }
        if case .other(let name) = driver { throw HelioError(.refused, "\(name) drives, and chooses the monitor.") }
        connection?.send(.selectMonitor(id: monitor))
    }

    private func setSoundPaused(_ isPaused: Bool) {
        let (isChanged, connection) = state.withLock { state in
            defer { state.isSoundPaused = isPaused }
            return (state.isSoundPaused != isPaused, state.connection)
        }
        guard isChanged, options.sound != .off else { return }
        connection?.submit(.sound(!isPaused))
        coded?.pause(isPaused)
        events.put(isPaused ? .paused(.audio) : .resumed(.audio))
    }

    /// Takes what comes of the session's sound. On the connection's event loop.
    private func take(_ news: SoundNews) {
        mixer?.put(news)
        guard let coded, let (packet, input) = coded.take(news) else { return }
        events.put(sound: packet, of: input)
    }

    private func setPaused(_ isPaused: Bool, _ medium: Medium) {
        let connection = state.withLock { state -> SinkConnection? in
            if state.isPaused == isPaused { return nil }
            state.isPaused = isPaused
            return state.connection
        }
        guard let connection else { return }
        if isPaused {
            connection.submit(.pause)
            plugin?.pause()
            events.put(.paused(medium))
        } else {
            connection.submit(.resume)
            plugin?.resume()
            events.put(.resumed(medium))
        }
    }

    // MARK: The session

    private func connect() {
        let ring = self.ring
        let (target, hearsHost) = state.withLock { ($0.host.target, !$0.isSoundPaused) }
        let connection = SinkConnection(
            target, capabilities: options.capabilities, suite: suite, transport: options.transport.policy,
            hearsHost: hearsHost, onFrame: { [self] in take($0) },
            onPlaying: { [self] in began($0, allowsControl: $1) },
            onTerms: { [self] in take($0) }, onSound: { [self] in take($0) }, clipboard: clipboard, files: viewerFiles,
            bell: { ring.yield() })
        let hasChanged = state.withLock { state in
            if let earlier = state.connection { state.earlierDrops.add(earlier.drops) }
            state.connection = connection
            return state.isSoundPaused == hearsHost
        }
        if hasChanged { connection.submit(.sound(!hearsHost)) }
    }

    /// Handles the start of the stream. On the connection's event loop, ahead of all frames.
    private func began(_ format: VideoFormat, allowsControl: Bool) {
        let attributes = MediaAttributes(format)
        let (isFirst, isPaused) = state.withLock { state in
            state.attributes = attributes
            state.driver = .nobody
            state.allowsControl = allowsControl
            return (state.host.played(), state.isPaused)
        }
        if isFirst {
            plugin?.initialize(attributes)
            plugin?.start()
        } else {
            plugin?.attributesChanged(attributes)
        }
        events.put(.played(attributes, allowsControl: allowsControl))
        if isPaused { state.withLock { $0.connection }?.submit(.pause) }
    }

    /// Reads the stream's codec and size from a keyframe: the source may have agreed on others with other sinks.
    private func lookAtShape(_ keyframe: ReceivedFrame) {
        guard let shape = StreamShape(keyframe: keyframe.annexB, codec: keyframe.codec) else { return }
        change { attributes in
            attributes.format = shape.codec == .h264 ? .avc : .hevc
            attributes.width = shape.size.width
            attributes.height = shape.size.height
        }
    }

    /// Takes changed terms of the stream. On the connection's event loop.
    private func take(_ terms: StreamTerms) {
        change { attributes in
            attributes.framesPerSecond = terms.framesPerSecond
            attributes.bitrate = terms.bitrate.bitsPerSecond
            attributes.profile = terms.profile
            attributes.level = terms.level
        }
    }

    private func change(_ apply: (inout MediaAttributes) -> Void) {
        let changed = state.withLock { state -> MediaAttributes? in
            guard var attributes = state.attributes else { return nil }
            apply(&attributes)
            if attributes == state.attributes { return nil }
            state.attributes = attributes
            return attributes
        }
        guard let changed else { return }
        plugin?.attributesChanged(changed)
        events.put(.changed(changed))
    }

    /// Takes a frame. On the connection's event loop.
    private func take(_ frame: ReceivedFrame) -> Bool {
        if frame.isKeyframe { lookAtShape(frame) }
        let first = state.withLock { state in
            let first = state.firstTime ?? frame.mediaTime
            state.firstTime = first
            return first
        }
        let coded = EncodedFrame(
            annexB: frame.annexB, presentationTime: MediaClock.duration(frame.mediaTime &- first),
            isKeyframe: frame.isKeyframe)
        return plugin?.receive(coded) ?? events.put(frame: coded)
    }

    private func run() async {
        for await _ in bell {
            while let connection = state.withLock({ $0.connection }) {
                let news = connection.takeNews()
                if news.isEmpty { break }
                for item in news {
                    if await !hear(item) { return }
                }
            }
            if state.withLock({ $0.isStopped }) { break }
        }
        await end(nil)
    }

    /// Turns news into events. False when the session is over.
    private func hear(_ news: SinkConnection.News) async -> Bool {
        switch news {
        case .ticket(let ticket):
            state.withLock { $0.host.take(ticket: ticket) }
            events.put(.connected)
        case .permission(let allowed):
            state.withLock { $0.allowsControl = allowed }
            events.put(.permission(allowsControl: allowed))
        case .driver(let told):
            let driver = Driver(told)
            state.withLock { $0.driver = driver }
            events.put(.driver(driver))
        case .monitors(let choice):
            state.withLock { $0.monitors = choice }
            events.put(.monitors(choice.list.map { Monitor($0) }, selected: choice.selected))
        case .controlRequested(let name): events.put(.controlRequested(name: name))
        case .ended(let error): return await lost(error)
        case .waiting(let url, let left):
            events.put(.info((left.map { "\($0). " } ?? "") + "Waiting for a program that publishes to \(url)."))
        case .note(let text): events.put(.info(text))
        case .playing, .cursorShape, .cursorMoved, .statistics: break
        }
        return true
    }

    /// Tries again after the host has vanished; ends the session after any other error.
    private func lost(_ error: HelioError) async -> Bool {
        let now = MonotonicClock.now
        let retry = state.withLock { $0.isStopped ? nil : $0.host.lost(error, now: now) }
        guard let retry else {
            await end(error)
            return false
        }
        events.put(.disconnected(reason: error.message))
        await state.withLock { $0.connection }?.close()
        try? await Task.sleep(for: retry - now)
        if state.withLock({ $0.isStopped }) {
            await end(nil)
            return false
        }
        connect()
        return true
    }

    private func end(_ error: HelioError?) async {
        let connection = state.withLock { state in
            state.isStopped = true
            return state.connection
        }
        // Until then the host may fetch what it keeps of the clipboard.
        await connection?.close()
        state.withLock { state in
            if let last = state.connection { state.earlierDrops.add(last.drops) }
            state.connection = nil
        }
        if state.withLock({ $0.host.hasPlayed }) { plugin?.stop() }
        coded?.stop()
        // Breaks a retain cycle: the clipboard's handler holds the session.
        clipboard?.stop()
        viewerFiles?.shared.stop()
        if let error { events.put(.ended(error)) }
        events.finish()
    }
}

extension MirrorSink.Options {
    fileprivate var capabilities: StreamCapabilities {
        StreamCapabilities(
            codecs: formats.map { $0 == .avc ? .h264 : .h265 },
            hardware: Set(hardwareFormats.map { $0 == .avc ? .h264 : .h265 }),
            largest: largest, framesPerSecond: framesPerSecond,
            bitrate: bitrate.map { Bitrate(bitsPerSecond: $0) }, takesFullChroma: takesFullChroma,
            sound: sound == .off ? [] : [.pcm, .opus])
    }
}

extension MirrorSink.Driver {
    init(_ driver: HelioControlWire.Driver) {
        self =
            switch driver {
            case .nobody: .nobody
            case .you: .you
            case .other(let name): .other(name: name)
            }
    }
}
