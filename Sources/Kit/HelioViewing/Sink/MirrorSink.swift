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

/// Watches a source without a window: passes coded frames to an app's own decoder, and the user's input to the source.
///
/// ```swift
/// let sink = try MirrorSink(link: text)
/// sink.start()
/// for await event in sink.events {
///     if case .received(_, let frame) = event { decode(frame) }
/// }
/// ```
///
/// The sink tries for two minutes to reconnect after the loss of a connection. A started sink stays in memory until
/// `stop` or the session's end. ``Viewer`` has a decoder and a window in addition.
public final class MirrorSink: Sendable {
    /// The options of a sink, set before `start`.
    public struct Options: Sendable {
        /// The codecs that the app can decode, best first.
        public var formats = MediaAttributes.Format.allCases
        /// The codecs that the app decodes in hardware. If H.265 is among them, a source that encodes it in hardware
        /// sends it.
        public var hardwareFormats: Set<MediaAttributes.Format> = []
        /// The maximum size of a picture that the app accepts, in pixels; `nil` for any.
        public var largest: PixelSize?
        /// The maximum frame rate that the app accepts, in frames per second; `nil` for any.
        public var framesPerSecond: Int?
        /// The maximum bitrate that the app accepts, in bits per second; `nil` for any.
        public var bitrate: Int?
        /// True if the app can decode and show 4:4:4 chroma.
        public var takesFullChroma = true
        /// The form in which the app receives sound; with `off`, the source sends no sound.
        public var sound = Sound.off
        /// A protection suite of the specification, for a source with the same suite; `nil` uses AES-GCM.
        public var protection: ProtectionOptions?
        /// The transports allowed for picture and input, if the source is a Heliograph host.
        public var transport = NetworkTransport.automatic
        /// The options of sharing this system's clipboard with the source while this sink drives; `nil` shares none.
        public var clipboard: ClipboardOptions?
        /// The options of exchanging files with the source; `nil` for none. The app has to ask its user when `files`
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
        /// Nobody drives; the next viewer that sends input becomes the driver.
        case nobody
        /// This sink drives: the source obeys its input.
        case you
        /// Another viewer, with the name that this viewer gave itself.
        case other(name: String)
    }

    /// An event of a sink's session for its app, delivered by `events`.
    public enum Event: Sendable {
        /// The source has admitted this sink.
        case connected
        /// Media begin to arrive, with the attributes that both ends have agreed on.
        case played(MediaAttributes, allowsControl: Bool)
        /// The attributes of the stream change from the next frame on.
        case changed(MediaAttributes)
        /// The source has begun (true) or stopped (false) accepting input from this sink.
        case permission(allowsControl: Bool)
        /// The viewer that drives the source has changed; only one viewer drives at a time.
        case driver(Driver)
        /// The viewer with that name asks this sink to hand over control; send `SinkInput.handOver` to agree.
        case controlRequested(name: String)
        /// The list of the source's monitors, or the shown monitor, has changed. `selectMonitor` chooses another
        /// monitor.
        case monitors([Monitor], selected: Monitor.ID?)
        /// A frame, if there is no video plugin to receive it.
        case received(Medium, EncodedFrame)
        /// A packet of sound, if there is no sound plugin to receive it. Packets are delivered in order of arrival,
        /// each once.
        case receivedSound(EncodedSoundPacket, of: SoundInput)
        /// Media are paused at this sink's request.
        case paused(Medium)
        /// Media are sent again; video continues with a keyframe.
        case resumed(Medium)
        /// A sentence for a log or the user, such as the reason for a change from UDP to TCP; the session continues.
        case info(String)
        /// The connection is lost; the sink is reconnecting to the source.
        case disconnected(reason: String)
        /// The session has ended with this error. This is the last event.
        case ended(HelioError)
    }

    /// The session's events, for one reader; the sequence ends with the session.
    public let events: SinkEvents

    private struct State {
        var isSoundPaused = false
        var isStopped = false
        var firstTime: Int64?
        /// The stream's attributes; `nil` until they are known.
        var attributes: MediaAttributes?
        var runner: Task<Void, Never>?
    }

    private let options: Options
    private let suite: SuiteOptions?
    private let plugin: (any VideoSinkPlugin)?
    /// Filters coded sound for the app; `nil` unless `Options.sound` is `coded`.
    private let coded: CodedSound?
    /// This system's clipboard; `nil` if it is not shared.
    private let clipboard: SharedClipboard?
    private let viewerFiles: ViewerFiles?
    /// The exchange of files with the source; `nil` without `Options.files`.
    public var files: SharedFiles? { viewerFiles?.shared }
    /// Decodes and mixes sound; `nil` unless `Options.sound` is `samples`.
    private let mixer: SoundMixer?
    let watch: HostWatch
    private let state = Mutex(State())
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// Makes a sink for a host or for another program's stream; `start` connects.
    ///
    /// - Parameters:
    ///   - link: the link that the sharing machine shows, or its address.
    ///   - code: the code that the host was started with, if `link` is its address; it pairs this machine with the
    ///     host.
    ///   - options: the limits of the media that this sink accepts, and the features that it uses.
    ///   - plugin: an app's own decoder; without it, frames are delivered as events.
    ///   - soundPlugin: receives coded sound, if `Options.sound` is `coded`; without it, packets are delivered as
    ///     events.
    ///
    /// Throws `invalidArgument` if the link is malformed, or if the protection suite protects nothing.
    public convenience init(
        link: String, code: String? = nil, options: Options = Options(), video plugin: (any VideoSinkPlugin)? = nil,
        audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try self.init(try ViewTarget(parsing: link, code: code), options, plugin, soundPlugin)
    }

    /// Makes a sink for a discovered host, authenticated by a code or by this machine's pairing with the host.
    ///
    /// Throws `invalidArgument` if there is neither a code nor a pairing.
    public convenience init(
        host: DiscoveredHost, code: String? = nil, options: Options = Options(),
        video plugin: (any VideoSinkPlugin)? = nil, audio soundPlugin: (any AudioSinkPlugin)? = nil
    ) throws(HelioError) {
        try self.init(.link(try HostPairing.link(for: host, code: code)), options, plugin, soundPlugin)
    }

    /// Makes a sink that waits for another program to publish its stream here; an `info` event gives the URL. The
    /// stream is received like a source's stream. After the publisher has left, another program may publish.
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
        watch = HostWatch(target)
        events = SinkEvents()
        (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects to the source; `events` report the progress. Further calls do nothing.
    public func start() {
        let isFirst = state.withLock { state in
            if state.isStopped || state.runner != nil { return false }
            // Each session has one task, which converts news to events and reconnects to a lost source.
            state.runner = Task { [self] in await run() }
            return true
        }
        if isFirst { connect() }
    }

    /// Ends the session: notifies the source, which releases the keys and buttons that this sink holds down.
    public func stop() async {
        let runner = state.withLock { state in
            state.isStopped = true
            return state.runner
        }
        ring.yield()
        await runner?.value
        events.finish()
    }

    /// Pauses a medium: the source stops sending it to this sink, and stops encoding it if there is no other audience.
    /// Pausing video pauses sound too.
    public func pause(_ medium: Medium) { medium == .audio ? setSoundPaused(true) : setPaused(true, medium) }

    /// Resumes a medium; video continues with a keyframe.
    public func resume(_ medium: Medium) { medium == .audio ? setSoundPaused(false) : setPaused(false, medium) }

    /// Fills samples with the source's sound: 48 kHz stereo, interleaved, left first; silence if there is no sound. For
    /// an app's audio output, if `Options.sound` is `samples`: call it on one thread, whenever the output requests
    /// samples. It never blocks.
    ///
    /// - Parameters:
    ///   - samples: the samples to fill, with values between -1 and 1.
    ///   - delay: the time until the first of the samples is audible.
    public func render(_ samples: inout MutableSpan<Float>, heardIn delay: Duration = .zero) {
        if let mixer { return mixer.render(&samples, heard: MonotonicClock.now + delay) }
        for index in samples.indices { samples[index] = 0 }
    }

    /// Sends the user's input. Does nothing before `played`, or if the source allows no control.
    public func send(_ input: SinkInput) { watch.send(input.event) }

    /// The number of items dropped at this end since the start, by reason: frames and events that were not read in
    /// time, and requests made before there was a connection.
    public var drops: [String: Int] { .sum(watch, events, mixer) }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func setSoundPaused(_ isPaused: Bool) {
        let isChanged = state.withLock { state in
            defer { state.isSoundPaused = isPaused }
            return state.isSoundPaused != isPaused
        }
        guard isChanged, options.sound != .off else { return }
        watch.submit(.sound(!isPaused))
        coded?.pause(isPaused)
        events.put(isPaused ? .paused(.audio) : .resumed(.audio))
    }

    private func setPaused(_ isPaused: Bool, _ medium: Medium) {
        guard watch.setPaused(isPaused) else { return }
        isPaused ? plugin?.pause() : plugin?.resume()
        events.put(isPaused ? .paused(medium) : .resumed(medium))
    }

    // MARK: The session

    private func connect() {
        let hearsHost = state.withLock { !$0.isSoundPaused }
        let setup = SinkConnection.Setup(
            capabilities: options.capabilities, suite: suite, transport: options.transport, hearsHost: hearsHost,
            clipboard: clipboard, files: viewerFiles)
        watch.connect(setup, to: self, bell: { [ring] in ring.yield() })
        // The app may have paused or resumed sound while this connection was being made.
        if state.withLock({ $0.isSoundPaused == hearsHost }) { watch.submit(.sound(!hearsHost)) }
    }

    private func run() async {
        for await _ in bell {
            do {
                for news in watch.takeNews() { try await handle(watch.interpret(news)) }
            } catch {
                return await end(error)
            }
            if isStopped { break }
        }
        await end(nil)
    }

    /// Converts an item of news to events, and reconnects to a lost source.
    private func handle(_ news: WatchedHost.News) async {
        switch news {
        case .admitted: events.put(.connected)
        case .permission(let allowed): events.put(.permission(allowsControl: allowed))
        case .driver(let driver, _): events.put(.driver(Driver(driver)))
        case .controlRequested(let name): events.put(.controlRequested(name: name))
        case .monitors(let choice, _): events.put(.monitors(choice.monitors, selected: choice.selected))
        case .waiting(_, let note, _), .note(let note): events.put(.info(note))
        case .lost(let error, let retryAt, _):
            if isStopped { return }
            events.put(.disconnected(reason: error.message))
            try? await Task.sleep(for: retryAt - MonotonicClock.now)
            if !isStopped { connect() }
        case .named, .playing, .cursorShape, .cursorMoved, .statistics: break
        }
    }

    private func end(_ error: HelioError?) async {
        state.withLock { $0.isStopped = true }
        await watch.leave()
        if watch.host.hasPlayed { plugin?.stop() }
        coded?.stop()
        // Stopping the clipboard breaks a retain cycle, because its handler refers to the session.
        clipboard?.stop()
        await viewerFiles?.shared.stop()
        if let error { events.put(.ended(error)) }
        events.finish()
    }
}

extension MirrorSink: StreamReceiving {
    func began(_ format: VideoFormat, allowsControl: Bool) {
        let attributes = MediaAttributes(format)
        state.withLock { $0.attributes = attributes }
        if watch.began() {
            plugin?.initialize(attributes)
            plugin?.start()
        } else {
            plugin?.attributesChanged(attributes)
        }
        events.put(.played(attributes, allowsControl: allowsControl))
    }

    func take(_ terms: StreamTerms) {
        change { attributes in
            attributes.framesPerSecond = terms.framesPerSecond
            attributes.bitrate = terms.bitrate.bitsPerSecond
            attributes.profile = terms.profile
            attributes.level = terms.level
        }
    }

    /// This method is never called, because the setup requests no parts of frames.
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
