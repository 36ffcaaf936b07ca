public import HelioCore
private import HelioGround
private import HelioMedia
private import HelioProtection
private import HelioServing
public import HelioSharing
internal import HelioStores

/// Shares a screen, or an app's own coded frames: serves viewers, and lets permitted ones drive the machine.
///
/// ```swift
/// let source = try await MirrorSource.start(.init())
/// print(try await source.link.text)
/// for await event in source.events { print(event) }
/// ```
///
/// An app with its own encoder calls ``write(_:)`` with frames while somebody watches, and ``write(sound:of:)`` or
/// ``write(_:of:)`` with its sound.
///
/// For a screen that viewers may drive, a small helper process runs, `heliograph-key-guard`: this same program,
/// executed again with nothing but the display. It releases the keys and buttons that a viewer holds down if this
/// program is killed, and ends with it. It never reaches `main`. If this library is not linked into the program but
/// loaded later (as a plug-in), there is no guard, and such keys stay down until somebody presses them.
public final class MirrorSource: Sendable {
    /// The options of a source: what is shared, with whom, and in which quality.
    public struct Options: Sendable {
        /// The X display, in the form of `$DISPLAY`; `nil` uses `$DISPLAY`.
        public var display: String?
        /// The number or name of the monitor; `nil` shares the primary one. See `selectMonitor(_:)`.
        public var screen: String?
        /// The address to listen on.
        public var address = Options.everyAddress
        /// The wildcard address: listens on all addresses of this machine, of IPv4 and IPv6.
        public static let everyAddress = LocalAddress.every
        /// The TCP and UDP port; control has the next UDP port. 0 picks free ones.
        public var port = 7236
        /// The ceiling of the frame rate, in frames a second.
        public var framesPerSecond = 60
        /// The ceiling of the bitrate, bits a second.
        public var bitrate = 20_000_000
        /// The properties of the stream that are reduced when the viewers' paths carry less than `bitrate`: bitrate,
        /// size and frame rate; the bitrate alone; or none (rows 6 and 18).
        public var adaptation = Adaptation.automatic
        /// The largest picture, in pixels; a larger screen is scaled down, keeping its aspect ratio. `nil` for no
        /// limit.
        public var largest: PixelSize?
        /// `true` codes a colour sample for every pixel (4:4:4).
        public var fullChroma = false
        /// The codec; a viewer that can't decode it gets the other one. `nil` chooses H.265 if this machine encodes it
        /// in hardware and every viewer decodes it in hardware, otherwise H.264.
        public var format: MediaAttributes.Format?
        /// The encoder. An encoder chosen by name also fixes the codec; a different `format` is then an error. If a
        /// hardware encoder fails while coding, a software encoder replaces it, and an event reports that.
        public var encoder = CodecChoice.automatic
        /// The sound that is shared with the screen. It is captured only while somebody hears it; the event
        /// `soundShared` reports that. Without a sound server, an event says so, and the screen is shared without
        /// sound.
        public var sound = SoundSharing.system
        /// The device to capture sound from, by its name as in `soundDevices()`; `nil` follows the default. If both
        /// kinds of sound are shared, the device is used for its own kind, and the other follows the default.
        public var soundDevice: String?
        /// True to play viewers' voices: they become a microphone of this machine, "Heliograph viewers", which its
        /// other programs can record. The event `speaking` reports who is heard.
        public var hearsViewers = false
        /// The clipboard's sharing with the driving viewer, if viewers may drive; `nil` shares none.
        public var clipboard: ClipboardOptions? = ClipboardOptions()
        /// The exchange of files between this machine and viewers; `nil` for none. An app that sets this has to ask its
        /// person when the event `files` reports a viewer's offer.
        public var files: FileOptions?
        /// Allows viewers to watch and listen only. A display that accepts no input from programs has the same effect;
        /// a note says so.
        public var isViewOnly = false
        /// True to keep the screen from going dark or being locked while somebody watches. Has an effect on X11 only.
        public var keepsAwake = true
        /// The maximum rate of pointer and touch moves, per second, within `inputRates`. Viewers are notified of the
        /// limit, and obey it. A newer move replaces one held back, so the last position always arrives. `nil` for the
        /// default of desktops: 120 from Heliograph's own viewers, and from a browser as many as its mouse reports.
        public var inputRate: Int?
        /// The range of `inputRate`.
        public static let inputRates = 1...1000
        /// The options of the endpoint for browsers; `nil` for no such endpoint.
        public var web: WebOptions?
        /// The options of the endpoint for ordinary players; `nil` for no such endpoint.
        public var players: PlayerOptions?
        /// The RTSP server of another program to publish the stream to; `nil` for none.
        public var publication: PublishOptions?
        /// The file to record the screen and its sound to, as viewers are sent them; `nil` for no recording. If the
        /// recording fails, sharing goes on.
        public var recording: RecordingOptions?
        /// The servers to broadcast the screen and its sound to, with an encode of their own; `nil` for no broadcast.
        /// Each broadcast starts, runs and fails independently.
        public var broadcast: BroadcastOptions?
        /// The directory of this installation's key and pairings; `nil` for `HeliographHome`.
        public var home: String?
        /// The location that was found usable, once sharing has started.
        fileprivate var chosenPlaces: SecretPlaces?
        /// True if the app answers the event `pairingAsked`; otherwise pairing by comparing codes is refused.
        public var asksToPair = false
        /// A code, XXXX-XXXX-XXXX-XXXX, that pairs one device unattended; see `DeviceBook.makeCode`.
        public var pairingCode: String?
        /// The name of this machine, as paired devices see it; `nil` for its host name.
        public var name: String?
        /// True to announce this source on the local network by its name, see `HostBrowser`. If that fails, for example
        /// without Avahi on Linux, an event says so, and sharing goes on.
        public var isAdvertised = false
        /// One of the specification's protection suites, for viewers that choose it too; `nil` uses AES-GCM for all.
        public var protection: ProtectionOptions?

        /// Makes options for the primary screen, to be watched and driven, on every address, with an automatic codec.
        public init() {}
    }

    /// An event of a source.
    public enum Event: Sendable {
        /// Viewers can connect to this port. The first event.
        case started(port: Int)
        /// A new link is valid, because a viewer has used the last one.
        case link(Link)
        /// A viewer has begun to watch; `device` is its name for people, see ``SourceStatistics/Viewer/name``.
        case viewerJoined(address: String, device: String?)
        case viewerLeft(address: String, device: String?, reason: String)
        /// A device asks to be paired: compare its code with this one, then call `answer`.
        case pairingAsked(PairingQuestion)
        /// A pairing question is obsolete, and needs no answer.
        case pairingOver(PairingQuestion.ID)
        /// A device is paired, and may connect without asking from now on. With `isVisitor` the pairing lasts only
        /// until the browser's page is closed, because the page can store nothing.
        case paired(address: String, device: String, isVisitor: Bool)
        /// A device was not paired.
        case pairingRefused(address: String, reason: String)
        /// A viewer was refused.
        case viewerRefused(address: String, reason: String)
        /// The attributes that the present viewers have agreed on, with the reasons if they differ from the wanted
        /// ones.
        case agreed(MediaAttributes, reasons: [String])
        /// The list of monitors has changed, or another is shared.
        case monitors([Monitor], selected: Monitor.ID)
        /// The sound that is captured from now on, because somebody hears it; empty for none.
        case soundShared([SharedSound])
        /// A viewer's voice is played from now on, or no longer; `device` is the name of a paired one.
        case speaking(address: String, device: String?, Bool)
        /// Publishing to this URL has ended; sharing goes on.
        case publicationFailed(url: String, HelioError)
        /// The recording is being written to this file: its first picture has been recorded.
        case recording(file: String)
        /// The recording has ended by an error, such as a full disk. The file plays up to that point; sharing goes on.
        case recordingFailed(HelioError)
        /// The broadcast to this server has changed its state, for this reason; see `BroadcastStatus`.
        case broadcast(url: String, BroadcastStatus.State, reason: String?)
        /// An event of the exchange of files; answer by `MirrorSource.files`.
        case files(FileEvent)
        /// A sentence for a log or for people, such as a change of size or frame rate by ``Adaptation``; sharing goes
        /// on.
        case info(String)
        /// Sharing has ended by this error.
        case failed(HelioError)
    }

    /// A link that admits one viewer.
    public struct Link: Sendable {
        /// The whole link, with its secret.
        public let text: String
        /// The secret alone, to be typed along with the host's address.
        public let code: String
        /// The link for a browser, with the secret; `nil` if there is no endpoint for browsers.
        public let web: String?
        /// Further addresses of this machine, the likeliest first, for viewers on its other networks. `text` contains
        /// them too; with `web` and `code`, a person replaces the first address by one of these.
        public internal(set) var otherAddresses: [String] = []
    }

    /// The source's events; the sequence ends when sharing ends.
    public let events: SourceEvents
    /// The port that the source listens on.
    public let port: Int
    /// The encoder's name, for people.
    public let encoder: String
    /// The size of the shared picture, in pixels; viewers that support only less make it smaller.
    public let size: PixelSize
    /// The URL of the stream for ordinary players; `nil` if there is no endpoint for them.
    public let playerURL: String?
    /// The URL of the page for browsers, without the secret; `nil` if there is no endpoint for them.
    public let webURL: String?
    /// The limits of the display, in words for people.
    public let notes: [String]

    let serving: Serving
    private let parts: RunningParts
    private let supply: Supply
    /// The board of monitors; `nil` if an app encodes.
    let board: MonitorBoard?
    /// The sound of this machine; `nil` if it has none to capture.
    let soundSupply: SoundSupply?
    /// True if viewers are offered this machine's sound, which may be switched on later.
    let offersSound: Bool
    /// The app's own sound; `nil` if it supplies none.
    let appSound: AppSound?

    /// The supplier of the frames: the screen's pipeline, or an app's own encoder.
    private enum Supply {
        case screen
        case app(AppFeed, AppInput?)
    }

    /// Starts to share a screen.
    ///
    /// Throws `captureFailed`, `encoderFailed`, `unsupported`, `invalidArgument` or `systemFailed`; the message says
    /// what to do about it.
    public static func start(_ options: Options) async throws(HelioError) -> MirrorSource {
        try await start(options, on: systemSource)
    }

    /// Starts to share a screen of the given platform.
    static func start(_ options: Options, on platform: some SourcePlatform) async throws(HelioError) -> MirrorSource {
        try await with(options) { ground throws(HelioError) in
            try await MirrorSource(screen: OpenedScreen(on: ground, of: platform))
        }
    }

    /// Starts to share frames that the app encodes; the options for screen and codec are ignored.
    ///
    /// - Parameters:
    ///   - options: the address to listen on, and who is let in.
    ///   - video: the attributes of the frames.
    ///   - plugin: receives the session's requests to the encoder.
    ///   - sound: the attributes of the app's own sound, which goes into `write(sound:of:)` or, coded, `write(_:of:)`;
    ///     `nil` shares none.
    ///   - soundPlugin: is notified whether anybody hears it.
    ///   - input: called with viewers' input, in order, on a thread of the session's; `nil` allows viewers to watch
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

    /// Starts to share the app's frames and sound, with the given platform's sound encoders.
    static func start(
        _ options: Options, on platform: some SourcePlatform, video: MediaAttributes, plugin: any VideoSourcePlugin,
        sound: SoundAttributes?, soundPlugin: (any AudioSourcePlugin)? = nil,
        input: (@Sendable (SinkInput) -> Void)? = nil
    ) async throws(HelioError) -> MirrorSource {
        let format = try video.videoFormat()
        let appSound = sound.map { AppSound($0, soundPlugin, platform: platform.sound) }
        let feed = AppFeed(plugin, attributes: video, sound: appSound)
        return try await with(options) { ground throws(HelioError) in
            try await MirrorSource(
                format, feed: feed, sound: appSound, heard: try HeardViewers.make(ground.options, of: platform.sound),
                input: input.map { AppInput(size: format.size, tell: $0) }, on: ground)
        }
    }

    /// Lays the ground for a source, and stops all parts of one that can't start.
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

    /// Serves a screen, and starts the thread that captures and encodes it.
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

    /// Serves frames that an app encodes.
    private convenience init(
        _ format: VideoFormat, feed: AppFeed, sound: AppSound?, heard: HeardViewers?, input: AppInput?,
        on ground: Groundwork
    ) async throws(HelioError) {
        ground.parts.add(heard)
        feed.begin()
        ground.parts.add(feed)
        ground.parts.add(sound)
        let serving = try await Serving(
            Serving.Offer(
                format: format, codecs: [format.codec], allowsControl: input != nil && !ground.options.isViewOnly,
                sound: sound == nil ? [] : Set(SoundOrigin.allCases), streamed: sound == nil ? nil : .system,
                recorded: sound == nil ? [] : [.system], slowViewers: .refreshFarSlower),
            feed: feed, machine: input, heard: heard, clipboard: nil, on: ground)
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

    /// Shares a frame of the app's own encoder. Call it on any thread, with one frame at a time; it never blocks.
    ///
    /// - Returns: false if the frame was not used: nobody watches, a keyframe has to come first, or the network's
    ///   thread is stuck, in which case a keyframe is requested.
    ///
    /// Throws `invalidArgument` for a frame that is not an access unit in Annex B format, and if the source shares a
    /// screen.
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
    /// The viewers' sessions go on; a viewer that can't decode a new codec is disconnected. Later viewers agree on
    /// these attributes. If the size is the one that viewers have agreed on, as announced by
    /// `VideoSourcePlugin.attributesChanged`, the size that the app wants stays what it was: the app is notified when a
    /// larger one is possible again.
    ///
    /// Throws `invalidArgument` for invalid attributes, and if the source shares a screen.
    public func changeAttributes(_ video: MediaAttributes) throws(HelioError) {
        try changeAttributes(video, wantedSize: nil)
    }

    /// Changes the attributes of the app's stream, and the size that the app wants if all viewers accept it.
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

    /// Returns the statistics of the source: the media sent, and each viewer.
    ///
    /// - Parameter earlier: earlier statistics: rates are averages since then. `nil` for averages since sharing began.
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

    /// The status of each broadcast, in the order of the options.
    public var broadcasts: [BroadcastStatus] { serving.broadcast?.statuses ?? [] }

    /// Answers a `PairingQuestion`; an answer to an obsolete question is ignored.
    public func answer(_ question: PairingQuestion.ID, _ answer: PairingQuestion.Answer) {
        serving.server.answerPairing(question.connection, answer.forDesk)
    }

    /// Takes control back at once: nobody drives any more, and all keys and buttons that viewers hold down are
    /// released.
    ///
    /// Viewers can still watch. `setControl(allowed: true)` gives control back.
    public func takeControl() { setControl(allowed: false) }

    /// Takes control back from viewers, or lets them drive again as far as the options and their pairing allow.
    ///
    /// - Parameters:
    ///   - allowed: whether viewers may drive.
    ///   - viewer: a device's name or an address, as in the events; `nil` for everybody, including later viewers.
    public func setControl(allowed: Bool, for viewer: String? = nil) {
        serving.server.permitControl(allowed, viewer: viewer)
    }

    /// Kicks a viewer: its session ends, and the keys and buttons that it holds down are released. A paired one may
    /// connect again; see `DeviceBook.revoke(_:)`.
    ///
    /// - Parameter viewer: the number in the statistics; the number of a viewer that has left is ignored.
    public func putOut(_ viewer: UInt64) { serving.server.putOut(ConnectionID(viewer)) }

    /// Ends sharing: notifies every viewer, and closes all sockets. A further call waits for the same end.
    public func stop() async { await parts.stop() }
}

extension MirrorSource.Options {
    /// The location of the installation's key and pairings.
    var places: SecretPlaces {
        get { chosenPlaces ?? home.map { SecretPlaces(folder: $0) } ?? HeliographHome.places }
        set { chosenPlaces = newValue }
    }

    /// Notes for people about a location where nothing can be stored.
    var placeNotes: [String] {
        guard places.isTemporary else { return [] }
        return [
            "nothing can be stored in \(home ?? HeliographHome.path): the next start has another key, so today's links and "
                + "pairings end with this one"
        ]
    }
}
