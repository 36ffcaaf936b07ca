public import HelioCore
private import HelioGround
private import HelioMedia
private import HelioProtection
private import HelioServing
public import HelioSharing
public import HelioSignaling
internal import HelioStores

/// Shares a screen, or frames that an app encodes itself: serves viewers, and lets permitted viewers drive the machine.
///
/// ```swift
/// let source = try await MirrorSource.start(.init())
/// print(try await source.link.text)
/// for await event in source.events { print(event) }
/// ```
///
/// An app with its own encoder passes its frames to ``write(_:)`` while somebody watches, and its sound to
/// ``write(sound:of:)`` or ``write(_:of:)``.
///
/// If viewers may drive the screen, a small helper process named `heliograph-key-guard` runs. It is this same program,
/// executed again, but it never enters `main`. If this program is killed, the helper releases the keys and buttons that
/// a viewer holds down; it exits when this program does. If this library is loaded later, as a plug-in, instead of
/// being linked into the program, there is no helper, and such keys stay down until somebody presses them.
public final class MirrorSource: Sendable {
    /// The options of a source: the shared media, the endpoints for viewers, and the quality.
    public struct Options: Sendable {
        /// The X display, in the form of `$DISPLAY`; `nil` uses `$DISPLAY`.
        public var display: String?
        /// The way to capture the screen, a name as in `captures(display:)`; `nil` takes the one that suits the
        /// session.
        public var capture: String?
        /// The number or name of the monitor; `nil` shares the primary monitor. See `selectMonitor(_:)`.
        public var screen: String?
        /// The address to listen on.
        public var address = Options.everyAddress
        /// The wildcard address: listens on all addresses of this machine, of IPv4 and IPv6.
        public static let everyAddress = LocalAddress.every
        /// The TCP and UDP port; control uses the next higher UDP port. 0 picks free ports.
        public var port = 7236
        /// The maximum frame rate, in frames per second.
        public var framesPerSecond = 60
        /// The maximum bitrate, in bits per second.
        public var bitrate = 20_000_000
        /// The properties of the stream that are reduced when the viewers' paths carry less than `bitrate`: bitrate,
        /// size and frame rate; the bitrate alone; or none (requirement rows 6 and 18).
        public var adaptation = Adaptation.automatic
        /// The maximum size of the picture, in pixels; a larger screen is scaled down, with its aspect ratio unchanged.
        /// `nil` for no limit.
        public var largest: PixelSize?
        /// True to encode chroma at full resolution (4:4:4) instead of 4:2:0.
        public var fullChroma = false
        /// The preferred codec; the other codec is used while a viewer can't decode this one. `nil` chooses H.265 if
        /// this machine encodes it in hardware and every viewer decodes it in hardware, otherwise H.264.
        public var format: MediaAttributes.Format?
        /// The encoder. An encoder chosen by name also determines the codec; a different `format` is then an error. If
        /// a hardware encoder fails while coding, a software encoder replaces it, and an event reports that.
        public var encoder = CodecChoice.automatic
        /// The sound that is shared with the screen. It is captured only while somebody listens; the event
        /// `soundShared` reports the captured devices. If there is no sound server, an event reports that, and the
        /// screen is shared without sound.
        public var sound = SoundSharing.system
        /// The name of the device to capture sound from, as listed by `soundDevices()`; `nil` follows the default
        /// device. If both kinds of sound are shared, the named device is used for its own kind, and the other kind
        /// follows its default device.
        public var soundDevice: String?
        /// True to play viewers' voices into a virtual microphone of this machine, "Heliograph viewers", which other
        /// programs can record. The event `speaking` reports which viewers are heard.
        public var hearsViewers = false
        /// The options of sharing this machine's clipboard with the driving viewer, if viewers may drive; `nil` shares
        /// none.
        public var clipboard: ClipboardOptions? = ClipboardOptions()
        /// The options of exchanging files with viewers; `nil` for none. An app that sets this has to ask its user when
        /// the event `files` reports a viewer's offer.
        public var files: FileOptions?
        /// True to let viewers watch and listen only. A display that accepts no input from programs has the same
        /// effect, which `notes` then reports.
        public var isViewOnly = false
        /// True to prevent the screen from being blanked or locked while somebody watches. Has an effect on X11 only.
        public var keepsAwake = true
        /// The maximum rate of pointer and touch moves, per second, within `inputRates`. Viewers are notified of the
        /// limit and obey it. A newer move replaces a delayed one, so the last position always arrives. `nil` for the
        /// default: 120 per second from Heliograph's own viewers, and every move that a browser's mouse reports.
        public var inputRate: Int?
        /// The valid values of `inputRate`, in moves per second.
        public static let inputRates = 1...1000
        /// The options of the endpoint for browsers; `nil` for no such endpoint.
        public var web: WebOptions?
        /// Further services by which browsers reach this source, beside its own page and `rendezvous`: an app's own
        /// way to exchange the messages of docs/web/protocol.md. The source starts and stops them; they need `web`,
        /// whose ports carry the picture. At most 256 browsers of each are served at once.
        public var signaling: [any SignalingService] = []
        /// The options of the endpoint for ordinary players; `nil` for no such endpoint.
        public var players: PlayerOptions?
        /// The RTSP server of another program to publish the stream to; `nil` for none.
        public var publication: PublishOptions?
        /// The file to record the screen and its sound to, in the encoding that viewers are sent; `nil` for no
        /// recording. If the recording fails, sharing continues.
        public var recording: RecordingOptions?
        /// The servers to broadcast the screen and its sound to, usually in an encoding of their own (see
        /// `BroadcastOptions`); `nil` for no broadcast. Each broadcast starts, runs and fails independently.
        public var broadcast: BroadcastOptions?
        /// The directory of this installation's key and pairings; `nil` for `HeliographHome`.
        public var home: String?
        /// The storage for the key and pairings that sharing uses: in memory if the directory can't be written. `nil`
        /// before the start.
        fileprivate var chosenPlaces: SecretPlaces?
        /// True to admit only paired devices: links are refused, also those that `MirrorSource.link` returns.
        public var admitsPairedOnly = false
        /// True if the app answers the event `pairingAsked`. If false, requests to pair by comparing codes are refused.
        public var asksToPair = false
        /// A code of the form XXXX-XXXX-XXXX-XXXX that pairs one device without confirmation by the user; see
        /// `DeviceBook.makeCode`.
        public var pairingCode: String?
        /// The name of this machine, as paired devices see it; `nil` for its host name.
        public var name: String?
        /// The rendezvous server by which paired devices, and viewers with a link, reach this source from any network:
        /// `https://HOST[:PORT][/PATH]`, with `#` and the fingerprint of its certificate if no authority has signed
        /// that. `nil` for none. While the server can't be reached, sharing continues without it.
        public var rendezvous: String?
        /// True to announce this source on the local network by its name, so that `HostBrowser` finds it. If that
        /// fails, for example without Avahi on Linux, an event reports it, and sharing continues.
        public var isAdvertised = false
        /// A protection suite of the specification, for viewers with the same suite; `nil` uses AES-GCM for all
        /// viewers.
        public var protection: ProtectionOptions?

        /// Makes options for sharing the primary screen on every address, with control and an automatic codec.
        public init() {}
    }

    /// An event of a source for its app, delivered by ``MirrorSource/events``.
    public enum Event: Sendable {
        /// Sharing has started: viewers can connect to this port. Reported once.
        case started(port: Int)
        /// A new link is valid, because a viewer has used the previous link.
        case link(Link)
        /// A viewer has begun to watch. `device` is its display name, see ``SourceStatistics/Viewer/name``.
        case viewerJoined(address: String, device: String?)
        case viewerLeft(address: String, device: String?, reason: String)
        /// A device asks to be paired: let the user compare its code with the question's code, then call `answer`.
        case pairingAsked(PairingQuestion)
        /// A pairing question is obsolete and needs no answer.
        case pairingOver(PairingQuestion.ID)
        /// A device was paired; from now on it may connect without a question. If `isVisitor` is true, the pairing
        /// lasts only until the browser's page is closed, because the page can store nothing.
        case paired(address: String, device: String, isVisitor: Bool)
        /// A device's request to be paired was refused, for example by the user or because its code was wrong.
        case pairingRefused(address: String, reason: String)
        /// A viewer or player has failed to authenticate, or a viewer's protection suite differs. `reason` is an
        /// identifier such as `wrong-proof`.
        case viewerRefused(address: String, reason: String)
        /// The attributes that the connected viewers have agreed on, with the reasons if they differ from those in the
        /// options.
        case agreed(MediaAttributes, reasons: [String])
        /// The list of monitors has changed, or another monitor is shared.
        case monitors([Monitor], selected: Monitor.ID)
        /// The devices whose sound is captured from now on, because somebody listens; empty for none.
        case soundShared([SharedSound])
        /// A viewer has begun (true) or stopped (false) speaking; `device` is the viewer's name if it is a paired
        /// device.
        case speaking(address: String, device: String?, Bool)
        /// Publishing to this URL has ended by an error; sharing continues.
        case publicationFailed(url: String, HelioError)
        /// The recording has begun: its first picture was written to this file.
        case recording(file: String)
        /// The recording has ended by an error, such as a full disk. The file can be played up to that point; sharing
        /// continues.
        case recordingFailed(HelioError)
        /// The broadcast to this server has changed its state; `reason` is a sentence if it is not live. See
        /// `BroadcastStatus`.
        case broadcast(url: String, BroadcastStatus.State, reason: String?)
        /// The rendezvous server at this URL can be reached now: the source is reached from any network. If `failure`
        /// is set, the server can't be reached; it is tried again, and sharing continues.
        case rendezvous(url: String, failure: HelioError?)
        /// An event of the exchange of files; answer an offer through `MirrorSource.files`.
        case files(FileEvent)
        /// A human-readable sentence for a log or the user, such as a change of size or frame rate by ``Adaptation``;
        /// sharing continues.
        case info(String)
        /// Sharing has ended by this error. This is the last event.
        case failed(HelioError)
    }

    /// A link that admits one viewer.
    public struct Link: Sendable {
        /// The whole link, with its secret.
        public let text: String
        /// The secret alone, for users who type it together with the host's address.
        public let code: String
        /// The link for a browser, including the secret; `nil` if there is no endpoint for browsers.
        public let web: String?
        /// The link for a browser on any network, including the secret: the page comes from the rendezvous server, and
        /// calls this source. `nil` without an endpoint for browsers or without a rendezvous server.
        public internal(set) var webFromAnywhere: String?
        /// Further addresses of this machine, the likeliest first, for viewers on its other networks. `text` contains
        /// them too. In `web`, and with `code`, the user has to replace the first address by one of these.
        public internal(set) var otherAddresses: [String] = []
    }

    /// The source's events; the sequence ends when sharing ends.
    public let events: SourceEvents
    /// The TCP and UDP port that the source listens on.
    public let port: Int
    /// The encoder's human-readable name.
    public let encoder: String
    /// The size of the shared picture at the start, in pixels. Later pictures are smaller if a viewer supports only
    /// those.
    public let size: PixelSize
    /// The URL of the stream for ordinary players; `nil` if there is no endpoint for players.
    public let playerURL: String?
    /// The URL of the page for browsers, without the secret; `nil` if there is no endpoint for browsers.
    public let webURL: String?
    /// Human-readable notes about limits of the display and the key storage, known at the start.
    public let notes: [String]

    let serving: Serving
    private let parts: RunningParts
    private let supply: Supply
    /// The layout of the monitors; `nil` if an app encodes.
    let board: MonitorBoard?
    /// The sound of this machine; `nil` if this platform can't capture any, or if an app encodes.
    let soundSupply: SoundSupply?
    /// True if viewers are offered this machine's sound, so that it can be switched on later.
    let offersSound: Bool
    /// The app's own sound; `nil` if the app supplies none.
    let appSound: AppSound?

    /// The supplier of the frames: the screen's pipeline, or an app's own encoder.
    private enum Supply {
        case screen
        case app(AppFeed, AppInput?)
    }

    /// Starts to share a screen.
    ///
    /// Throws `captureFailed`, `encoderFailed`, `unsupported`, `invalidArgument` or `systemFailed`; the message
    /// suggests a remedy.
    public static func start(_ options: Options) async throws(HelioError) -> MirrorSource {
        try await start(options, on: try systemSource.capturing(by: options.capture))
    }

    /// Starts to share a screen through the given platform's capture, encoders and input.
    static func start(_ options: Options, on platform: some SourcePlatform) async throws(HelioError) -> MirrorSource {
        try await with(options) { ground throws(HelioError) in
            try await MirrorSource(screen: OpenedScreen(on: ground, of: platform))
        }
    }

    /// Starts to share frames that the app encodes; the options for screen and codec are ignored.
    ///
    /// - Parameters:
    ///   - options: the address to listen on, and the admission of viewers.
    ///   - video: the attributes of the frames.
    ///   - plugin: receives the session's requests to the encoder.
    ///   - sound: the attributes of the app's own sound, which the app passes to `write(sound:of:)` as samples or to
    ///     `write(_:of:)` as coded packets; `nil` shares none.
    ///   - soundPlugin: is notified when somebody begins or stops listening to the app's sound.
    ///   - input: called with viewers' input, in order, on one of the session's threads; `nil` allows viewers to watch
    ///     only.
    ///
    /// Throws `invalidArgument` or `systemFailed`.
    public static func start(
        _ options: Options, video: MediaAttributes, plugin: any VideoSourcePlugin, sound: SoundAttributes? = nil,
        soundPlugin: (any AudioSourcePlugin)? = nil, input: (@Sendable (SinkInput) -> Void)? = nil
    ) async throws(HelioError) -> MirrorSource {
        try await start(
            options, on: systemSource, video: video, plugin: plugin, sound: sound, soundPlugin: soundPlugin,
            input: input)
    }

    /// Starts to share the app's frames and sound; samples are encoded by the given platform's sound encoders.
    static func start(
        _ options: Options, on platform: some SourcePlatform, video: MediaAttributes, plugin: any VideoSourcePlugin,
        sound: SoundAttributes?, soundPlugin: (any AudioSourcePlugin)? = nil,
        input: (@Sendable (SinkInput) -> Void)? = nil, clipboard: ClipboardOpening? = nil
    ) async throws(HelioError) -> MirrorSource {
        let format = try video.videoFormat()
        let appSound = sound.map { AppSound($0, soundPlugin, platform: platform.sound) }
        let feed = AppFeed(plugin, attributes: video, sound: appSound)
        return try await with(options) { ground throws(HelioError) in
            try await MirrorSource(
                format, feed: feed, sound: appSound, heard: try HeardViewers.make(ground.options, of: platform.sound),
                input: input.map { AppInput(size: format.size, tell: $0) },
                clipboard: try clipboard.flatMap { open throws(HelioError) in
                    try Self.open(open, ground.options, isDriven: input != nil)
                }, on: ground)
        }
    }

    /// Opens a clipboard of the app's own, with a handler of its events.
    typealias ClipboardOpening = @Sendable (@escaping @Sendable (ClipboardEvent) -> Void) -> any ClipboardAccess

    /// Opens the app's own clipboard, if the options share one and viewers may drive.
    private static func open(
        _ open: ClipboardOpening, _ options: Options, isDriven: Bool
    ) throws(HelioError) -> SharedClipboard? {
        guard isDriven, !options.isViewOnly, let wanted = options.clipboard else { return nil }
        return try SharedClipboard(wanted, isViewers: false) { handler throws(HelioError) in open(handler) }
    }

    /// Validates the options and starts a source by `make`; if `make` throws, stops the parts that have started. Throws
    /// `invalidArgument` for invalid options.
    private static func with(
        _ options: Options, _ make: (Groundwork) async throws(HelioError) -> MirrorSource
    ) async throws(HelioError) -> MirrorSource {
        try options.players?.validate()
        if let rate = options.inputRate, !Options.inputRates.contains(rate) {
            throw HelioError(.invalidArgument, "An input rate of \(rate) a second: give one of 1 to 1000.")
        }
        var options = options
        let identity: Identity
        (options.places, identity) = try options.places.forSharing()
        let ground = Groundwork(options, identity: identity)
        do throws(HelioError) {
            return try await make(ground)
        } catch {
            await ground.parts.stop()
            throw error
        }
    }

    /// Makes a source that serves an opened screen, and starts the thread that captures and encodes it.
    private convenience init(screen: OpenedScreen<some SourcePlatform>) async throws(HelioError) {
        let (ground, controls) = (screen.ground, screen.controls)
        let serving = try await Serving(
            screen.offer, feed: controls, machine: screen.machine, heard: screen.heard, clipboard: screen.clipboard,
            on: ground)
        let served = ServedScreen(screen, serving)
        let pipeline = try served.makePipeline()
        try await served.beginBroadcast()
        let encoder = pipeline.encoderSummary
        let thread = WorkerThread(name: "heliograph-media") { [events = ground.events] in
            do throws(HelioError) {
                try pipeline.run()
            } catch {
                events.put(.failed(error))
                events.finish()
            }
        }
        ground.parts.add(screen.sound)
        ground.parts.add(MediaThread(controls: controls, thread: thread))
        self.init(
            serving, ground, supply: .screen, board: screen.board, sound: screen.sound, encoder: encoder,
            size: screen.format.size, notes: screen.notes)
        screen.sound?.begin(serving)
    }

    /// Makes a source that serves frames encoded by an app.
    private convenience init(
        _ format: VideoFormat, feed: AppFeed, sound: AppSound?, heard: HeardViewers?, input: AppInput?,
        clipboard: SharedClipboard?, on ground: Groundwork
    ) async throws(HelioError) {
        ground.parts.add(clipboard)
        ground.parts.add(heard)
        feed.begin()
        ground.parts.add(feed)
        ground.parts.add(sound)
        let serving = try await Serving(
            Serving.Offer(
                format: format, codecs: [format.codec], allowsControl: input != nil && !ground.options.isViewOnly,
                sound: sound == nil ? [] : Set(SoundOrigin.allCases), streamed: sound == nil ? nil : .system,
                recorded: sound == nil ? [] : [.system], slowViewers: .refreshFarSlower),
            feed: feed, machine: input, heard: heard, clipboard: clipboard, on: ground)
        try await serving.broadcast?.begin(format.codec, of: feed)
        self.init(
            serving, ground, supply: .app(feed, input), board: nil, appSound: sound,
            encoder: "the app's own encoder", size: format.size, notes: ground.options.placeNotes)
        sound?.begin(serving)
    }

    private init(
        _ serving: Serving, _ ground: Groundwork, supply: Supply, board: MonitorBoard?, sound: SoundSupply? = nil,
        appSound: AppSound? = nil, encoder: String, size: PixelSize, notes: [String]
    ) {
        self.serving = serving
        parts = ground.parts
        self.supply = supply
        self.board = board
        soundSupply = sound
        offersSound = sound.map { $0.sharing != .off } ?? false
        self.appSound = appSound
        self.encoder = encoder
        self.size = size
        self.notes = notes
        events = serving.events
        port = serving.server.localPort
        playerURL = serving.players?.url
        webURL = serving.web?.url
        serving.events.put(.started(port: port))
    }

    /// Shares a frame that the app has encoded. Call it on any thread, with one frame at a time; it never blocks.
    ///
    /// - Returns: false if the frame was not used, because nobody watches, a keyframe has to come first, or the queue
    ///   to the network's thread is full; in the last case a keyframe is requested.
    ///
    /// Throws `invalidArgument` if the frame is not an access unit in Annex B format, or if the source shares a screen.
    @discardableResult
    public func write(_ frame: EncodedFrame) throws(HelioError) -> Bool {
        guard case .app(let feed, _) = supply else {
            throw HelioError(.invalidArgument, "This source shares a screen: it encodes by itself.")
        }
        guard let slice = try feed.slice(of: frame, now: MonotonicClock.now) else { return false }
        if serving.submit(slice) { return true }
        feed.lostFrame()
        return false
    }

    /// Changes the attributes of the app's stream; the next frame has to be a keyframe.
    ///
    /// The viewers' sessions continue, but a viewer that can't decode a new codec is disconnected. Later viewers agree
    /// on these attributes. If the size is the agreed one that `VideoSourcePlugin.attributesChanged` has announced, the
    /// app's preferred size stays unchanged, and the app is notified when a larger size is possible again.
    ///
    /// Throws `invalidArgument` if the attributes are invalid, or if the source shares a screen.
    public func changeAttributes(_ video: MediaAttributes) throws(HelioError) {
        try changeAttributes(video, wantedSize: nil)
    }

    /// Changes the attributes of the app's stream, and the app's preferred size, which is used if all viewers accept
    /// it. If `wanted` is `nil`, the preferred size is derived as for the public method.
    func changeAttributes(_ video: MediaAttributes, wantedSize wanted: PixelSize?) throws(HelioError) {
        guard case .app(let feed, let hearer) = supply else {
            throw HelioError(.invalidArgument, "This source shares a screen: it decides by itself.")
        }
        let format = try video.videoFormat()
        let wantedSize = feed.change(to: video, wanted: wanted)
        hearer?.setSize(format.size)
        serving.server.setScreen(format.size)
        serving.replace(by: format, wantedSize: wantedSize)
        feed.requestKeyframe("the stream has become another")
    }

    /// The link that admits the next viewer.
    public var link: Link {
        get async throws {
            serving.link(secret: try await serving.server.currentSecret().bytes)
        }
    }

    /// Returns the statistics of the source: the media that it has sent, and each of its viewers.
    ///
    /// - Parameter earlier: the statistics since which rates are averaged; `nil` for averages since sharing began.
    public func statistics(since earlier: SourceStatistics? = nil) async throws -> SourceStatistics {
        var now = try await serving.statistics()
        now.sound = soundSupply?.statistics ?? appSound?.statistics ?? []
        now.recording = recording
        now.broadcasts = broadcasts
        now.setRates(since: earlier)
        return now
    }

    /// The status of the recording; `nil` if there is none.
    public var recording: RecordingStatus? { serving.recordingStatus }

    /// The status of the broadcast to each server, in the order of `BroadcastOptions.destinations`.
    public var broadcasts: [BroadcastStatus] { serving.broadcast?.statuses ?? [] }

    /// Answers a `PairingQuestion`; the answer to an obsolete question is ignored.
    public func answer(_ question: PairingQuestion.ID, _ answer: PairingQuestion.Answer) {
        serving.server.answerPairing(question.connection, answer.forDesk)
    }

    /// Revokes control from all viewers at once: nobody drives any more, and all keys and buttons that viewers hold
    /// down are released.
    ///
    /// Viewers can still watch. `setControl(allowed: true)` allows control again.
    public func takeControl() { setControl(allowed: false) }

    /// Revokes control from viewers, or allows it again as far as the options and each viewer's pairing permit.
    ///
    /// - Parameters:
    ///   - allowed: true to let viewers drive, false to revoke control.
    ///   - viewer: the device's name or the address of one viewer, as in the events; `nil` for all viewers, including
    ///     later ones.
    public func setControl(allowed: Bool, for viewer: String? = nil) {
        serving.server.permitControl(allowed, viewer: viewer)
    }

    /// Kicks a viewer: its session ends, and the keys and buttons that it holds down are released. A paired device may
    /// connect again unless `DeviceBook.revoke(_:)` revokes its pairing.
    ///
    /// - Parameter viewer: the viewer's `id` in the statistics; the number of a viewer that has left is ignored.
    public func putOut(_ viewer: UInt64) { serving.server.putOut(ConnectionID(viewer)) }

    /// Ends sharing: notifies every viewer, and closes all sockets. Further calls return when sharing has ended, too.
    public func stop() async { await parts.stop() }
}

extension MirrorSource.Options {
    /// The storage of the installation's key and pairings.
    var places: SecretPlaces {
        get { chosenPlaces ?? home.map { SecretPlaces(folder: $0) } ?? HeliographHome.places }
        set { chosenPlaces = newValue }
    }

    /// Human-readable notes if the key and the pairings can't be stored; otherwise empty.
    var placeNotes: [String] {
        guard places.isTemporary else { return [] }
        return [
            "nothing can be stored in \(home ?? HeliographHome.path): the next start has another key, so today's links and "
                + "pairings end with this one"
        ]
    }
}
