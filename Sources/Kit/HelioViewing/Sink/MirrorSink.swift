internal import HelioAdmission
internal import HelioControlWire
public import HelioCore
private import HelioGround
private import HelioRTP
internal import HelioRemote
internal import HelioSession
public import HelioSharing
internal import HelioSound
private import Synchronization

/// Watches a source without a window: coded frames go to an app's own decoder, and the person's input goes to the
/// source.
///
/// ```swift
/// let sink = try MirrorSink(link: text)
/// sink.start()
/// for await event in sink.events {
///     if case .received(_, let frame) = event { decode(frame) }
/// }
/// ```
///
/// A lost source is reconnected for two minutes. The sink is kept alive until `stop` or the session's end. ``Viewer``
/// does the same with a decoder and a window.
public final class MirrorSink: Sendable {
    /// The options of a sink, set before `start`.
    public struct Options: Sendable {
        /// The codecs that the app can decode, best first.
        public var formats = MediaAttributes.Format.allCases
        /// The codecs that the app decodes in hardware: a source that encodes H.265 in hardware then sends that.
        public var hardwareFormats: Set<MediaAttributes.Format> = []
        /// The largest picture that the app accepts, in pixels; `nil` for any.
        public var largest: PixelSize?
        /// The highest frame rate that the app accepts; `nil` for any.
        public var framesPerSecond: Int?
        /// The highest bitrate that the app accepts, in bits a second; `nil` for any.
        public var bitrate: Int?
        /// True if the app can show 4:4:4.
        public var takesFullChroma = true
        /// The form in which the app receives sound; with `off`, the source sends none.
        public var sound = Sound.off
        /// One of the specification's protection suites, for a source that chose it too; `nil` uses AES-GCM.
        public var protection: ProtectionOptions?
        /// The transports allowed for picture and input, between Heliograph's own ends.
        public var transport = NetworkTransport.automatic
        /// The options of sharing this system's clipboard with the source while this sink drives; `nil` shares none.
        public var clipboard: ClipboardOptions?
        /// The options of exchanging files with the source; `nil` for none. The app has to ask its person when `files`
        /// reports an offer.
        public var files: FileOptions?

        /// Makes options without limits.
        public init() {}
    }

    /// The form in which a sink receives sound.
    public enum Sound: String, Sendable, CaseIterable {
        /// No sound: the source sends none.
        case off
        /// Coded packets as they arrive: passed to the sound plugin or, without one, as events.
        case coded
        /// Samples, with jitter buffered and lost packets concealed: the app's output calls `render(_:heardIn:)` for
        /// them.
        case samples
    }

    /// The viewer that drives the source.
    public enum Driver: Sendable, Hashable {
        /// Nobody: the next viewer that gives input becomes the driver.
        case nobody
        /// This sink.
        case you
        /// Another viewer, with the name that it gave itself.
        case other(name: String)
    }

    /// An event of a sink's session.
    public enum Event: Sendable {
        /// The source has admitted this sink.
        case connected
        /// Media begin to flow, with the attributes that both ends have agreed on.
        case played(MediaAttributes, allowsControl: Bool)
        /// The attributes of the stream change from the next frame on.
        case changed(MediaAttributes)
        /// The source accepts input from this sink from now on, or no longer.
        case permission(allowsControl: Bool)
        /// The viewer that drives the source has changed; only one viewer drives at a time.
        case driver(Driver)
        /// The viewer with that name asks this sink to hand over control; `SinkInput.handOver` does.
        case controlRequested(name: String)
        /// The list of the source's monitors, or the shown one, has changed; `selectMonitor` chooses.
        case monitors([Monitor], selected: Monitor.ID?)
        /// A frame, if no plugin takes them.
        case received(Medium, EncodedFrame)
        /// A packet of sound, if no plugin takes them. Packets come in order of arrival, each once.
        case receivedSound(EncodedSoundPacket, of: SoundInput)
        /// Media are paused at this sink's request.
        case paused(Medium)
        /// Media flow again.
        case resumed(Medium)
        /// A sentence for a log or for people, such as the reason for a change from UDP to TCP; the session goes on.
        case info(String)
        /// The connection is lost; the source is being reconnected.
        case disconnected(reason: String)
        /// The session is over, for this reason. The last event.
        case ended(HelioError)
    }

    /// The session's events, for one reader; the sequence ends with the session.
    public let events: SinkEvents

    private struct State {
        var host: WatchedHost
        var connection: SinkConnection?
        var isPaused = false
        var isSoundPaused = false
        var isStopped = false
        var firstTime: Int64?
        /// The stream's attributes; `nil` until they are known.
        var attributes: MediaAttributes?
        var monitors = MonitorChoice()
        /// The viewer that drives.
        var driver = Driver.nobody
        var allowsControl = false
        var runner: Task<Void, Never>?
        /// The drops of earlier connections.
        var earlierDrops: [String: Int] = [:]
    }

    private let options: Options
    private let suite: SuiteOptions?
    private let plugin: (any VideoSinkPlugin)?
    /// Sorts coded sound for the app; `nil` if the app does not receive it in that form.
    private let coded: CodedSound?
    /// This system's clipboard; `nil` if it is not shared.
    private let clipboard: SharedClipboard?
    private let viewerFiles: ViewerFiles?
    /// The exchange of files with the source; `nil` without `Options.files`.
    public var files: SharedFiles? { viewerFiles?.shared }
    /// Makes samples of sound; `nil` if the app does not receive it in that form.
    private let mixer: SoundMixer?
    private let state: Mutex<State>
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// Makes a sink for a host or for another program's stream; `start` connects.
    ///
    /// - Parameters:
    ///   - link: the link that the sharing machine shows, or its address.
    ///   - code: the code that the host was started with, if `link` is its address; it pairs this machine with the
    ///     host.
    ///   - options: the limits of what this sink accepts.
    ///   - plugin: an app's own decoder; without one, frames are delivered as events.
    ///   - soundPlugin: takes coded sound, if the options ask for it; without a plugin, its packets are delivered as
    ///     events.
    ///
    /// Throws `invalidArgument` for a malformed link, and for a suite that protects nothing.
    public convenience init(
        link: String, code: String? = nil, options: Options = Options(), video plugin: (any VideoSinkPlugin)? = nil,
        audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, plugin, soundPlugin)
    }

    /// Makes a sink for a discovered host, with a code or by this machine's pairing with it.
    ///
    /// Throws `invalidArgument` if there is neither.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Options = Options(),
        video plugin: (any VideoSinkPlugin)? = nil, audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, plugin, soundPlugin)
    }

    /// Makes a sink that waits for another program to publish its stream here; an `info` event gives the URL. The
    /// stream is received like a source's, and when the publisher has left, the next one may come.
    ///
    /// Throws `invalidArgument` if other machines could publish without a password.
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
            // One task for each session: it turns news into events, and reconnects a lost source.
            state.runner = Task { [self] in await run() }
            return true
        }
        if isFirst { connect() }
    }

    /// Ends the session with a goodbye to the source, where keys and buttons that are held down are released.
    public func stop() async {
        let runner = state.withLock { state in
            state.isStopped = true
            return state.runner
        }
        ring.yield()
        await runner?.value
        events.finish()
    }

    /// Pauses a medium: the source sends none of it to this sink, and encodes none if nobody else watches. Pausing
    /// video pauses sound too.
    public func pause(_ medium: Medium) { medium == .audio ? setSoundPaused(true) : setPaused(true, medium) }

    /// Resumes a medium, video from a keyframe on.
    public func resume(_ medium: Medium) { medium == .audio ? setSoundPaused(false) : setPaused(false, medium) }

    /// Fills samples with the source's sound: 48 kHz stereo, interleaved, left first; silence if there is none. For an
    /// app's audio output, if `Options.sound` is `samples`: call it on one thread, whenever the output wants more. It
    /// never blocks.
    ///
    /// - Parameters:
    ///   - samples: the samples to fill, between -1 and 1.
    ///   - delay: the time until the first of the samples is heard.
    public func render(_ samples: inout MutableSpan<Float>, heardIn delay: Duration = .zero) {
        if let mixer { return mixer.render(&samples, heard: MonotonicClock.now + delay) }
        for index in samples.indices { samples[index] = 0 }
    }

    /// Sends the person's input. Does nothing before `played`, or if the source allows no control.
    public func send(_ input: SinkInput) {
        state.withLock { $0.connection }?.send(input.event)
    }

    /// The number of items dropped at this end since the start, by reason: frames and events that were not read in
    /// time, and requests made before there was a connection.
    public var drops: [String: Int] {
        let connections = state.withLock { state in
            state.earlierDrops.merging(state.connection?.drops ?? [:]) { $0 + $1 }
        }
        return connections.merging(events.drops) { $0 + $1 }.merging(mixer?.report.drops ?? [:]) { $0 + $1 }
    }

    var choice: MonitorChoice { state.withLock { $0.monitors } }

    /// Asks the source for a monitor. Throws `refused` if this sink may not choose.
    func choose(_ monitor: Monitor.ID) throws(HelioError) {
        let (connection, allowsControl, driver) = state.withLock { ($0.connection, $0.allowsControl, $0.driver) }
        guard allowsControl else { throw HelioError(.refused, "The source lets this sink watch only.") }
        if case .other(let name) = driver {
            throw HelioError(.refused, "\(name) is in control, and chooses the monitor.")
        }
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
        let setup = SinkConnection.Setup(
            capabilities: options.capabilities, suite: suite, transport: options.transport.policy, hearsHost: hearsHost,
            clipboard: clipboard, files: viewerFiles)
        let connection = SinkConnection(target, setup, to: self, bell: { ring.yield() })
        let hasChanged = state.withLock { state in
            if let earlier = state.connection { state.earlierDrops.add(earlier.drops) }
            state.connection = connection
            return state.isSoundPaused == hearsHost
        }
        if hasChanged { connection.submit(.sound(!hearsHost)) }
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

    /// Turns news into events. Returns false when the session is over.
    private func hear(_ news: SinkConnection.News) async -> Bool {
        switch news {
        case .hostName(let name): state.withLock { $0.host.take(name: name) }
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

    /// Reconnects if the host was lost; any other error ends the session.
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
        // Until the connection is closed, the host may fetch the clipboard's content to keep it.
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

extension MirrorSink: StreamReceiving {
    func began(_ format: VideoFormat, allowsControl: Bool) {
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

    func take(_ terms: StreamTerms) {
        change { attributes in
            attributes.framesPerSecond = terms.framesPerSecond
            attributes.bitrate = terms.bitrate.bitsPerSecond
            attributes.profile = terms.profile
            attributes.level = terms.level
        }
    }

    /// Frames are taken whole.
    func take(_ part: ReceivedPart) {}

    func take(_ frame: ReceivedFrame) -> Bool {
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

    func take(_ news: SoundNews) {
        mixer?.put(news)
        guard let coded, let (packet, input) = coded.take(news) else { return }
        events.put(sound: packet, of: input)
    }

    /// Reads the stream's codec and size from a keyframe, because the source may have agreed on other values with other
    /// sinks.
    private func lookAtShape(_ keyframe: ReceivedFrame) {
        guard let shape = StreamShape(keyframe: keyframe.annexB, codec: keyframe.codec) else { return }
        change { attributes in
            attributes.format = shape.codec == .h264 ? .avc : .hevc
            attributes.width = shape.size.width
            attributes.height = shape.size.height
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
