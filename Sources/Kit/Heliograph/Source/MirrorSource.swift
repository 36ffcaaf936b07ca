private import Foundation
private import HelioBroadcast
public import HelioCore
import HelioHost
private import HelioLoop
private import HelioMedia
private import HelioPicture
private import HelioProtection
private import HelioRemote
private import HelioServing
private import HelioSession
internal import HelioStores
public import HelioViewing
private import NIOCore
private import NIOPosix
private import Synchronization

/// Shares a screen, or an app's own coded frames: serves viewers, and lets those who may drive the machine.
///
/// ```swift
/// let source = try await MirrorSource.start(.init())
/// print(try await source.link.text)
/// for await event in source.events { print(event) }
/// ```
///
/// With an encoder of an app's own, frames go in by ``write(_:)`` while somebody watches, and its own sound by
/// ``write(sound:of:)`` or ``write(_:of:)``.
///
/// A screen that viewers may drive has a small process beside it, `heliograph-key-guard`: this same program, started
/// anew with nothing but the display. It releases the keys and buttons that a viewer holds down if this program is
/// killed, and ends with it. It never comes as far as `main`. Where this library is not linked into the program but
/// loaded by it later (a plug-in, say) there is no guard, and such keys stay down until somebody presses them.
public final class MirrorSource: Sendable {
    /// The options of a source: what is shared, where and how well.
    public struct Options: Sendable {
        /// The X display, as in `$DISPLAY`, which is taken when `nil`.
        public var display: String?
        /// The number or name of the monitor; `nil` shares the primary one. See `selectMonitor(_:)`.
        public var screen: String?
        /// The address to listen on.
        public var address = Options.everyAddress
        /// The wildcard address: listens on all addresses of this machine, of IPv4 and IPv6.
        public static let everyAddress = LocalAddress.every
        /// The TCP and UDP port; control has the next UDP port. 0 picks free ones.
        public var port = 7236
        /// The ceiling of the frame rate.
        public var framesPerSecond = 60
        /// The ceiling of the bitrate, bits a second.
        public var bitrate = 20_000_000
        /// What follows the viewers' paths where they carry less than `bitrate`: bitrate, size and frame rate, the
        /// bitrate alone, or nothing (rows 6 and 18).
        public var adaptation = Adaptation.automatic
        /// The largest picture, in pixels; a larger screen is scaled down, keeping its shape. `nil` = as large as it
        /// is.
        public var largest: PixelSize?
        /// `true` keeps every pixel's own colour (4:4:4).
        public var fullChroma = false
        /// The codec; a viewer that can't decode it gets the other one. `nil` is H.265 where this machine codes it by
        /// hardware and every viewer decodes it so, else H.264.
        public var format: MediaAttributes.Format?
        /// The encoder; one by name decides the codec. Hardware that fails while it codes is replaced by software, and
        /// an event says so.
        public var encoder = CodecChoice.automatic
        /// The sound that is shared with the screen. It is captured only while somebody hears it, and
        /// `Event.soundShared` tells when. Where there is no sound server an event says so, and the screen is shared
        /// without.
        public var sound = SoundSharing.system
        /// The device whose sound is taken, by its name as in `soundDevices()`; `nil` follows the default. Where both
        /// kinds of sound are shared, it is that of one of them.
        public var soundDevice: String?
        /// True where viewers that want it are heard: what their microphones take is a microphone of this machine,
        /// "Heliograph viewers", for its other programs. `Event.speaking` tells who is heard.
        public var hearsViewers = false
        /// How the screen's clipboard is shared with whoever drives, where viewers may drive; `nil`: it is not.
        public var clipboard: ClipboardOptions? = ClipboardOptions()
        /// How files go between this machine and viewers; `nil`: they don't. An app that leaves this in asks its person
        /// when `Event.files` says that a viewer offers some.
        public var files: FileOptions?
        /// Lets viewers watch and listen only. So does a display that takes no input from programs; a note says so.
        public var isViewOnly = false
        /// True where the screen is kept from going dark or being locked by itself while somebody watches. It has an
        /// effect on X11 alone.
        public var keepsAwake = true
        /// The most moves of a pointer or finger a second that the target takes, within `inputRates`: viewers are told,
        /// and send no more. A move that is held back is never lost, but the newest takes the place of those before it.
        /// `nil` is what desktops take: 120 from our own viewers, and from a browser as many as its mouse reports.
        public var inputRate: Int?
        /// The range of `inputRate`.
        public static let inputRates = 1...1000
        /// The options of the endpoint for browsers; `nil` serves none.
        public var web: WebOptions?
        /// The options of the endpoint for ordinary players; `nil` opens none.
        public var players: PlayerOptions?
        /// The RTSP server of another program that the stream is pushed to; `nil` pushes it nowhere.
        public var publication: PublishOptions?
        /// The file that the screen and its sound are recorded to, as viewers are sent them; `nil` records nothing. A
        /// recording that fails ends alone.
        public var recording: RecordingOptions?
        /// The servers that the screen and its sound are broadcast to, with an encode of their own; `nil` broadcasts
        /// nothing. Each begins, and goes on, by itself, and one that is refused ends alone.
        public var broadcast: BroadcastOptions?
        /// The directory of this installation's key and pairings; `nil` is `HeliographHome`.
        public var home: String?
        /// True where the app answers `Event.pairingAsked`; nobody is paired by comparing codes otherwise.
        public var asksToPair = false
        /// A code, XXXX-XXXX-XXXX-XXXX, that pairs one device without a person; see `DeviceBook.makeCode`.
        public var pairingCode: String?
        /// The name of this machine for devices that it is paired with; `nil` takes its host name.
        public var name: String?
        /// True where others on the local network can find this source by its name, see `HostBrowser`. Where they
        /// can't, as without Avahi on Linux, an event says so, and sharing goes on.
        public var isAdvertised = false
        /// One of the specification's suites, for viewers that choose it too; `nil` is AES-GCM for all.
        public var protection: ProtectionOptions?

        /// Makes options for the primary screen, to be watched and driven, on every address; the codec is chosen.
        public init() {}
    }

    /// An event of a source.
    public enum Event: Sendable {
        /// Viewers can connect to this port: the first event.
        case started(port: Int)
        /// There is a new link, since the last one has let somebody in.
        case link(Link)
        /// A viewer watches; `device` is the name of a paired one.
        case viewerJoined(address: String, device: String?)
        case viewerLeft(address: String, device: String?, reason: String)
        /// A device wants to be paired: compare its code with this one, then call `answer`.
        case pairingAsked(PairingQuestion)
        /// A pairing question needs no answer any more.
        case pairingOver(PairingQuestion.ID)
        /// A device is paired, and may come without asking from now on. With `isVisitor` that lasts until its page is
        /// closed, which can keep nothing.
        case paired(address: String, device: String, isVisitor: Bool)
        /// A device was not paired.
        case pairingRefused(address: String, reason: String)
        /// A viewer was refused.
        case viewerRefused(address: String, reason: String)
        /// The present viewers agree on these attributes; where they are not the wanted ones, the reasons.
        case agreed(MediaAttributes, reasons: [String])
        /// The list of monitors has changed, or another is shared.
        case monitors([Monitor], selected: Monitor.ID)
        /// The sound that is captured from now on, as somebody hears it; empty: none is.
        case soundShared([SharedSound])
        /// A viewer's microphone is heard from now on, or no more; `device` is the name of a paired one.
        case speaking(address: String, device: String?, Bool)
        /// The stream is not published there any more; sharing goes on.
        case publicationFailed(url: String, HelioError)
        /// The recording is written to this file from now on: its first picture is there.
        case recording(file: String)
        /// The recording has ended: its disk is full, say. Its file plays up to there; sharing goes on.
        case recordingFailed(HelioError)
        /// The broadcast to this server is in another stage, for this reason; see `BroadcastStatus`.
        case broadcast(url: String, BroadcastStatus.State, reason: String?)
        /// What happens to files that go to viewers or come of them; `MirrorSource.files` answers.
        case files(FileEvent)
        /// Something worth knowing; sharing goes on.
        case info(String)
        /// Sharing has ended by itself, for this reason.
        case failed(HelioError)
    }

    /// A link that lets one viewer in.
    public struct Link: Sendable {
        /// The whole link, with its secret.
        public let text: String
        /// The secret alone, to type beside the host's address.
        public let code: String
        /// The link for a browser, with the secret; `nil` where none are served.
        public let web: String?
        /// Further addresses of this machine, the likeliest first, for viewers on its other networks. `text` has them too;
        /// in `web` and beside `code` a person puts one in place of the first.
        public internal(set) var otherAddresses: [String] = []
    }

    /// The source's events; ends when sharing ends.
    public let events: SourceEvents
    /// The port that the source listens on.
    public let port: Int
    /// The encoder's name, for people.
    public let encoder: String
    /// The size of the shared picture, in pixels; viewers that take less make it smaller.
    public let size: PixelSize
    /// The URL of the stream for ordinary players; `nil` where there is no endpoint for them.
    public let playerURL: String?
    /// The URL of the page for browsers, without the secret that lets anybody in; `nil` where none are served.
    public let webURL: String?
    /// The limits of the display, in words for people.
    public let notes: [String]

    let serving: Serving
    private let supply: Supply
    /// The board of monitors; `nil` where an app encodes.
    let board: MonitorBoard?
    /// The sound of this machine; `nil` where there can be none.
    let soundSupply: SoundSupply?
    /// True where viewers may hear this machine, if it is turned on.
    let offersSound: Bool
    /// The app's own sound; `nil` where it gives none.
    let appSound: AppSound?

    /// The supplier of the frames: the screen's media thread, or an app's own encoder.
    private enum Supply {
        case screen(SourceControls, WorkerThread)
        case app(AppFeed, AppInput?)
    }

    /// Starts to share a screen.
    ///
    /// Throws `captureFailed`, `encoderFailed`, `unsupported` or `systemFailed`, saying what to do about it.
    public static func start(_ options: Options) async throws(HelioError) -> MirrorSource {
        try await start(options, on: systemSource)
    }

    /// Starts to share a screen of the given platform.
    static func start(_ options: Options, on platform: some SourcePlatform) async throws(HelioError) -> MirrorSource {
        try await with(options) { identity, group throws(HelioError) in
            try await MirrorSource(screenOf: options, on: platform, identity: identity, group: group)
        }
    }

    /// Starts to share frames that the app encodes; the options of screen and codec don't count.
    ///
    /// - Parameters:
    ///   - options: the address to listen on, and who is let in.
    ///   - video: the attributes of the frames.
    ///   - plugin: gets the session's requests to the encoder.
    ///   - sound: the attributes of the app's own sound, which goes into `write(sound:of:)` or, coded, `write(_:of:)`; `nil`
    ///     shares none.
    ///   - soundPlugin: is told whether anybody hears it.
    ///   - input: called with viewers' input, in order, on a thread of the session's; `nil` lets them watch only.
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

    /// Shares what the app gives, with the given platform's encoders of sound.
    static func start(
        _ options: Options, on platform: some SourcePlatform, video: MediaAttributes, plugin: any VideoSourcePlugin,
        sound: SoundAttributes?, soundPlugin: (any AudioSourcePlugin)? = nil,
        input: (@Sendable (SinkInput) -> Void)? = nil
    ) async throws(HelioError) -> MirrorSource {
        let format = try video.videoFormat()
        let appSound = sound.map { AppSound($0, soundPlugin, platform: platform.sound) }
        return try await with(options) { identity, group throws(HelioError) in
            try await MirrorSource(
                options, format: format,
                feed: AppFeed(plugin, attributes: video, soundWanted: { appSound?.set($0) }), sound: appSound,
                heard: try HeardViewers.make(options, of: platform.sound), input: input, identity: identity,
                group: group)
        }
    }

    private static func with(
        _ options: Options,
        _ make: (Identity, MultiThreadedEventLoopGroup) async throws(HelioError) -> MirrorSource
    ) async throws(HelioError) -> MirrorSource {
        try options.players?.validate()
        if let rate = options.inputRate, !Options.inputRates.contains(rate) {
            throw HelioError(.invalidArgument, "An input rate of \(rate) a second: give one of 1 to 1000.")
        }
        let identity = try options.places.identity()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do throws(HelioError) {
            return try await make(identity, group)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Captures and encodes a screen.
    private convenience init<Platform: SourcePlatform>(
        screenOf options: Options, on platform: Platform, identity: Identity, group: MultiThreadedEventLoopGroup
    ) async throws(HelioError) {
        let fixed = try options.codec(on: platform)
        let capture = try platform.openScreen(
            display: options.display, monitor: options.screen, framesPerSecond: options.framesPerSecond)
        let cursor = try platform.openCursor(on: capture)
        let largest = options.largest
        let size = capture.size.fitted(within: largest).fitted(within: .largestCoded)
        let format = VideoFormat(
            codec: fixed ?? .h264, size: size,
            framesPerSecond: options.framesPerSecond, bitrate: Bitrate(bitsPerSecond: options.bitrate),
            chroma: options.fullChroma ? .yuv444 : .yuv420)
        let soundSupply: SoundSupply? =
            if let sound = platform.sound {
                try SoundSupply(options.sound, device: options.soundDevice, of: sound)
            } else {
                nil
            }
        let controls = SourceControls(bell: capture.waker, soundWanted: { soundSupply?.set($0) })
        let (injector, inputNote) = try Self.openInjector(options, of: platform)
        // Whoever drives shares the clipboard: where nobody can, nobody does.
        var (clipboard, clipboardNote): (SharedClipboard?, [String]) = (nil, [])
        if injector != nil { (clipboard, clipboardNote) = try Self.openClipboard(options, of: platform) }
        let board = MonitorBoard(capture.layout, controls)
        // Who names a monitor shows that one; to choose another is for this end alone.
        let isFixed = options.screen != nil
        // Neither players nor servers can follow a change of codec.
        // Nor can a broadcast that the viewers' encode serves.
        let isShared = try options.broadcastsViewersEncode(format, of: capture.size)
        let mayChange = options.players == nil && options.publication == nil && !isShared
        let choice = options.encoder
        let serving = try await Serving(
            options, format: format,
            codecs: mayChange ? platform.codecs(preferring: format.codec) : [format.codec],
            hardwareCodec: mayChange && fixed == nil && choice == .automatic && platform.codesByHardware(.h265)
                ? .h265 : nil,
            allowsControl: injector != nil,
            // Who shares one may share the other later.
            sound: soundSupply == nil || options.sound == .off ? [] : Set(SoundOrigin.allCases),
            streamed: Self.streamed(options.sound, of: soundSupply),
            recorded: soundSupply == nil ? [] : options.sound.origins,
            slowViewers: capture.fillsFurtherPictures && ProcessInfo.processInfo.activeProcessorCount >= 2
                ? .secondEncode : .refresh,
            heard: try HeardViewers.make(options, of: platform.sound), clipboard: clipboard,
            feed: controls, identity: identity, group: group,
            // Of a monitor that has just gone the viewer hears by the new list.
            selectMonitor: { try? board.select($0) }, inject: { injector?.inject($0) })
        let (server, events) = (serving.server, serving.events)
        server.setScreen(capture.shownSize, on: capture.layout.selected)
        server.setMonitors(capture.layout, isFixed: isFixed)
        let pointer = CursorFeed(
            cursor, screen: capture.size, picture: format.size,
            tellShape: { server.submit(SourceHost.Input.cursorShape($0)) },
            tellPlace: { server.tellCursor(x: $0, y: $1) })

        let pipeline: SourcePipeline<Platform.Screen, Platform.Encoder>
        do throws(HelioError) {
            pipeline = try SourcePipeline(
                capture: capture, format: format, fit: { $0.fitted(within: largest) },
                longestPause: isShared ? BroadcastOptions.longestPause : nil,
                followsPath: options.adaptation == .automatic, keepsAwake: options.keepsAwake, controls: controls,
                surroundings: .init(
                    now: { MonotonicClock.now },
                    submit: { serving.submit($0) },
                    pollCursor: { () throws(HelioError) in try pointer.poll() },
                    tell: { news in
                        switch news {
                        case .format(let format, of: .main):
                            serving.change(format)
                            pointer.scale(to: format.size, of: capture.size)
                        case .format(let format, of: .second): serving.changeSecond(format)
                        case .screen(let size, let monitor): server.setScreen(size, on: monitor)
                        case .layout(let layout):
                            board.layout = layout
                            serving.broadcast?.select(layout.selected.id)
                            server.setMonitors(layout, isFixed: isFixed)
                            events.put(
                                .monitors(layout.monitors.map { Monitor($0) }, selected: layout.selected.id))
                        case .wantedSize(let size): serving.wish(size)
                        // By software H.265 takes too long: who had it by hardware gets H.264.
                        case .encoder(.h265, isHardware: false): serving.hardwareFailed()
                        case .encoder: break
                        case .trouble(let trouble): serving.count(trouble)
                        case .shortage(let cause): serving.setShortage(cause)
                        case .secondFailed: serving.secondFailed()
                        case .note(let sentence): events.put(.info(sentence))
                        }
                    }),
                makeEncoder: { format, isFallback throws(HelioError) in
                    // An encoder by name has one codec; viewers may have agreed on the other.
                    let isOther = fixed != nil && format.codec != fixed
                    return try platform.makeEncoder(
                        format, choice: isFallback ? .software : isOther ? .automatic : choice)
                })
        } catch {
            await serving.stop()
            throw error
        }
        if let broadcast = serving.broadcast {
            do throws(HelioError) {
                if isShared {
                    try await broadcast.begin(format.codec, of: controls)
                } else {
                    try await broadcast.begin(
                        BroadcastScreen(
                            broadcast.encode, display: options.display, monitor: capture.layout.selected.id,
                            choice: fixed == nil || fixed == broadcast.encode.codec ? choice : .automatic,
                            keepsAwake: options.keepsAwake, on: platform,
                            submit: { broadcast.take($0) }, note: { events.put(.info($0)) },
                            failed: { events.put(.info("The broadcast has no picture any more: \($0.message)")) }))
                }
            } catch {
                await serving.stop()
                throw error
            }
        }
        let summary = pipeline.encoderSummary
        let thread = WorkerThread(name: "heliograph-media") {
            do throws(HelioError) {
                try pipeline.run()
            } catch {
                events.put(.failed(error))
                events.finish()
            }
        }
        self.init(
            serving, supply: .screen(controls, thread), board: board, sound: soundSupply, encoder: summary,
            size: format.size,
            notes: capture.notes + [size.note(scaledFrom: capture.size)].compactMap(\.self) + inputNote + clipboardNote)
        soundSupply?.begin(
            .init(
                submit: { serving.submit($0) }, captured: { events.put(.soundShared($0)) },
                note: { events.put(.info($0)) }))
    }

    /// Opens what viewers drive the machine by, unless they only watch. A display that takes no input from programs is
    /// shared all the same, with a note: who watches needs none.
    private static func openInjector<Platform: SourcePlatform>(
        _ options: Options, of platform: Platform
    ) throws(HelioError) -> (DirectInjector<Platform.Injector>?, notes: [String]) {
        if options.isViewOnly { return (nil, []) }
        do throws(HelioError) {
            return (DirectInjector(try platform.openInjector(display: options.display)), [])
        } catch {
            guard error.code == .unsupported else { throw error }
            return (nil, ["viewers can only watch. \(error.message)".withoutFullStop])
        }
    }

    /// Opens the screen's clipboard where it is to be shared. One that can't be had is a note, and no error.
    private static func openClipboard(
        _ options: Options, of platform: some SourcePlatform
    ) throws(HelioError) -> (SharedClipboard?, notes: [String]) {
        guard let wanted = options.clipboard, !options.isViewOnly else { return (nil, []) }
        var notes: [String] = []
        let clipboard = try SharedClipboard.open(
            wanted, isViewers: false, note: { notes.append("the clipboard is not shared: \($0.message)") },
            by: { handler throws(HelioError) in
                try platform.openClipboard(display: options.display, marked: wanted.includesMarked, handler: handler)
            })
        return (clipboard, notes)
    }

    /// The sound that players and servers are told of; `nil` where none is shared. It is silence until there is a device,
    /// which may come later: they can't be told of another track then.
    private static func streamed(_ sharing: SoundSharing, of supply: SoundSupply?) -> SoundOrigin? {
        guard supply != nil, sharing != .off else { return nil }
        return sharing == .microphone ? .microphone : .system
    }

    /// Serves frames that an app encodes.
    private convenience init(
        _ options: Options, format: VideoFormat, feed: AppFeed, sound: AppSound?, heard: HeardViewers?,
        input: (@Sendable (SinkInput) -> Void)?, identity: Identity, group: MultiThreadedEventLoopGroup
    ) async throws(HelioError) {
        let hearer = input.map { AppInput(size: format.size, tell: $0) }
        feed.begin()
        let serving = try await Serving(
            options, format: format, codecs: [format.codec],
            allowsControl: hearer != nil && !options.isViewOnly, sound: sound == nil ? [] : Set(SoundOrigin.allCases),
            recorded: sound == nil ? [] : [.system], slowViewers: .refreshFarSlower, heard: heard, feed: feed,
            identity: identity, group: group,
            inject: { hearer?.take($0) })
        do throws(HelioError) {
            try await serving.broadcast?.begin(format.codec, of: feed)
        } catch {
            await serving.stop()
            throw error
        }
        self.init(
            serving, supply: .app(feed, hearer), board: nil, appSound: sound, encoder: "the app's own encoder",
            size: format.size, notes: [])
        let events = serving.events
        sound?.begin(submit: { serving.submit($0) }, note: { events.put(.info($0)) })
    }

    private init(
        _ serving: Serving, supply: Supply, board: MonitorBoard?, sound: SoundSupply? = nil, appSound: AppSound? = nil,
        encoder: String, size: PixelSize, notes: [String]
    ) {
        self.serving = serving
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

    /// Hands over a frame of the app's own encoder. Call it on any thread, but with one frame at a time; it never
    /// blocks.
    ///
    /// - Returns: whether it was taken. It is not while nobody watches, before the first keyframe of those who do, and
    ///   when the network's thread is stuck: a keyframe is requested then.
    ///
    /// Throws `invalidArgument` for a frame that is no access unit in Annex-B form, and where the source shares a
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
    /// Viewers go on without a new session; one that can't decode a new codec is disconnected. Later viewers agree on
    /// these attributes. Where the size is the one that viewers have agreed on, as
    /// `VideoSourcePlugin.attributesChanged` has told, the size that the app wants stays what it was: it is told when
    /// more is possible again.
    ///
    /// Throws `invalidArgument` for attributes that no stream can have.
    public func changeAttributes(_ video: MediaAttributes) throws(HelioError) {
        try changeAttributes(video, wantedSize: nil)
    }

    /// Changes the attributes of the app's stream, and the size that the app wants where all viewers take it.
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

    /// The link that lets the next viewer in.
    public var link: Link {
        get async throws {
            serving.link(secret: try await serving.server.currentSecret().bytes)
        }
    }

    /// The statistics of what was sent, and to whom.
    ///
    /// - Parameter earlier: earlier statistics: rates are of the time since then. `nil` = since sharing began.
    public func statistics(since earlier: SourceStatistics? = nil) async throws -> SourceStatistics {
        var now = try await serving.statistics()
        now.sound = soundSupply?.statistics ?? appSound?.statistics ?? []
        now.recording = recording
        now.broadcasts = broadcasts
        now.setRates(since: earlier)
        return now
    }

    /// How the recording stands; `nil` where there is none.
    public var recording: RecordingStatus? { serving.recordingStatus }

    /// How each broadcast stands, in the order of the options.
    public var broadcasts: [BroadcastStatus] { serving.broadcast?.statuses ?? [] }

    /// Answers a `PairingQuestion`; an answer that comes too late does no harm.
    public func answer(_ question: PairingQuestion.ID, _ answer: PairingQuestion.Answer) {
        serving.server.answerPairing(question.connection, answer.forDesk)
    }

    /// Takes control back at once: nobody drives any more, and all keys and buttons that viewers hold down are
    /// released.
    ///
    /// Viewers go on watching. `setControl(allowed: true)` gives control back.
    public func takeControl() { setControl(allowed: false) }

    /// Takes control back from viewers, or lets them drive again as far as the options and their pairing allow.
    ///
    /// - Parameters:
    ///   - allowed: whether viewers may drive.
    ///   - viewer: a device's name or an address, as in the events; `nil` is everybody, also later viewers.
    public func setControl(allowed: Bool, for viewer: String? = nil) {
        serving.server.permitControl(allowed, viewer: viewer)
    }

    /// Puts a viewer out: its session ends, and what it holds down is released. One that is paired may come again; see
    /// `DeviceBook.revoke(_:)`.
    ///
    /// - Parameter viewer: the number that the statistics say; one that has left does no harm.
    public func putOut(_ viewer: UInt64) { serving.server.putOut(ConnectionID(viewer)) }

    /// Ends sharing: tells every viewer, and closes all sockets.
    public func stop() async {
        if case .screen(let controls, let thread) = supply {
            controls.stop()
            await thread.join()
        }
        await soundSupply?.stop()
        await serving.stop()
        if case .app(let feed, _) = supply { feed.end() }
        appSound?.end()
    }
}

extension MirrorSource.Options {
    /// Where the installation's key and pairings are.
    var places: SecretPlaces { home.map { SecretPlaces(folder: $0) } ?? HeliographHome.places }
}

extension MirrorSource.Options {
    /// True where the viewers' encode of a screen serves broadcasts, too.
    fileprivate func broadcastsViewersEncode(_ format: VideoFormat, of screen: PixelSize) throws(HelioError) -> Bool {
        guard let encode = try broadcast?.encode() else { return false }
        return encode.differences(from: format, adapts: adaptation != .off, screen: screen).isEmpty
    }

    /// The codec that the options fix; `nil` where it depends on the viewers.
    ///
    /// Throws `invalidArgument` where the encoder's name is not known, or it codes another.
    fileprivate func codec(on platform: some SourcePlatform) throws(HelioError) -> VideoCodec? {
        let wanted: VideoCodec? = format.map { $0 == .hevc ? .h265 : .h264 }
        guard case .named(let name) = encoder else { return wanted }
        let codec = try platform.codec(ofEncoder: name)
        if let wanted, wanted != codec {
            throw HelioError(.invalidArgument, "\(name) codes \(codec.encodingName), not \(wanted.encodingName).")
        }
        return codec
    }
}

extension String {
    /// This text as notes are: without the full stop at its end.
    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
