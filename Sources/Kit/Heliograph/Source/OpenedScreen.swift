private import Foundation
private import HelioBroadcast
internal import HelioCore
private import HelioMedia
internal import HelioSharing

/// A screen that is to be shared, with the capture, input, sound and clipboard that are opened before any viewer is
/// served.
struct OpenedScreen<Platform: SourcePlatform> {
    let ground: Groundwork
    let platform: Platform
    let capture: Platform.Screen
    let cursor: Platform.Cursor
    /// The codec if the options determine it; `nil` if it depends on the viewers.
    let codec: VideoCodec?
    /// The format in which the screen is encoded if every viewer accepts it.
    let format: VideoFormat
    /// The sound of this machine; `nil` if this platform can't capture any.
    let sound: SoundSupply?
    let controls: SourceControls
    let board: MonitorBoard
    /// True if viewers may drive the machine.
    let isDriven: Bool
    let machine: DrivenScreen<Platform.Injector>
    let clipboard: SharedClipboard?
    let heard: HeardViewers?
    /// True if the viewers' encoding is also sent to the broadcasts' servers.
    let servesBroadcasts: Bool
    /// Human-readable notes about limits of the display, the input, the clipboard and the key storage.
    let notes: [String]

    /// Opens the screen that the options name. Throws `captureFailed`, `unsupported`, `invalidArgument` or
    /// `systemFailed`.
    init(on ground: Groundwork, of platform: Platform) throws(HelioError) {
        let options = ground.options
        self.ground = ground
        self.platform = platform
        codec = try options.codec(on: platform)
        capture = try platform.openScreen(
            display: options.display, monitor: options.screen, framesPerSecond: options.framesPerSecond)
        cursor = try platform.openCursor(on: capture)
        let size = capture.size.fitted(within: options.largest).fitted(within: .largestCoded)
        var format = VideoFormat(
            codec: codec ?? .h264, size: size, framesPerSecond: options.framesPerSecond,
            bitrate: Bitrate(bitsPerSecond: options.bitrate), chroma: options.fullChroma ? .yuv444 : .yuv420,
            color: platform.color)
        let shared = try options.encodeForBroadcast(sharedWith: format, of: capture.size)
        if let shared { format.color = shared.color }
        self.format = format
        servesBroadcasts = shared != nil
        sound = try platform.sound.map { platform throws(HelioError) in
            try SoundSupply(options.sound, device: options.soundDevice, of: platform)
        }
        controls = SourceControls(bell: capture.waker, sound: sound)
        board = MonitorBoard(capture.layout, controls)
        let (injector, inputNote) = try Self.openInjector(options, of: platform)
        isDriven = injector != nil
        machine = DrivenScreen(injector, board: board)
        // The clipboard is needed only with an injector, as only a driving viewer shares it.
        let (clipboard, clipboardNote) = isDriven ? try Self.openClipboard(options, of: platform) : (nil, [])
        self.clipboard = ground.parts.add(clipboard)
        heard = ground.parts.add(try HeardViewers.make(options, of: platform.sound))
        notes =
            capture.notes + [size.note(scaledFrom: capture.size)].compactMap(\.self) + inputNote + clipboardNote
            + options.placeNotes
    }

    /// Opens the injector of viewers' input, unless the options let them watch only. If the display accepts no input
    /// from programs, returns a note instead.
    private static func openInjector(
        _ options: MirrorSource.Options, of platform: Platform
    ) throws(HelioError) -> (Platform.Injector?, notes: [String]) {
        if options.isViewOnly { return (nil, []) }
        do throws(HelioError) {
            return (try platform.openInjector(display: options.display), [])
        } catch {
            guard error.code == .unsupported else { throw error }
            return (nil, ["viewers can only watch. \(error.message)".withoutFullStop])
        }
    }

    /// Opens the screen's clipboard if the options share it. If it can't be opened, returns a note instead of throwing.
    private static func openClipboard(
        _ options: MirrorSource.Options, of platform: Platform
    ) throws(HelioError) -> (SharedClipboard?, notes: [String]) {
        guard let wanted = options.clipboard else { return (nil, []) }
        var notes: [String] = []
        let clipboard = try SharedClipboard.open(
            wanted, isViewers: false, note: { notes.append("the clipboard is not shared: \($0.message)") },
            by: { handler throws(HelioError) in
                try platform.openClipboard(display: options.display, marked: wanted.includesMarked, handler: handler)
            })
        return (clipboard, notes)
    }

    /// The media of this screen that audiences are offered.
    var offer: Serving.Offer {
        let options = ground.options
        // Players, a publication, and a broadcast of the viewers' encoding can't follow a change of codec.
        let mayChange = options.players == nil && options.publication == nil && !servesBroadcasts
        let usesHardware =
            mayChange && codec == nil && options.encoder == .automatic && platform.codesByHardware(.h265)
        let isSharingSound = sound != nil && options.sound != .off
        return Serving.Offer(
            format: format, codecs: mayChange ? platform.codecs(preferring: format.codec) : [format.codec],
            hardwareCodec: usesHardware ? .h265 : nil, allowsControl: isDriven,
            // Each origin can be switched on later, so viewers are offered both.
            sound: isSharingSound ? Set(SoundOrigin.allCases) : [],
            streamed: !isSharingSound ? nil : options.sound == .microphone ? .microphone : .system,
            recorded: isSharingSound ? options.sound.origins : [],
            slowViewers: capture.fillsFurtherPictures && ProcessInfo.processInfo.activeProcessorCount >= 2
                ? .secondEncode : .refresh)
    }
}

extension MirrorSource.Options {
    /// Returns the encoding for the broadcast if a single encoding of the screen, in the broadcast's colours, can serve
    /// both the viewers and the broadcast's servers; `nil` otherwise, or if there is no broadcast. Throws
    /// `invalidArgument` if the options of the broadcast are invalid.
    fileprivate func encodeForBroadcast(
        sharedWith viewers: VideoFormat, of screen: PixelSize
    ) throws(HelioError) -> BroadcastEncode? {
        guard let encode = try broadcast?.encode() else { return nil }
        return encode.differences(from: viewers, adapts: adaptation != .off, screen: screen).isEmpty ? encode : nil
    }

    /// The codec if the options determine it; `nil` if it depends on the viewers.
    ///
    /// Throws `invalidArgument` if the encoder's name is not known, or if it has another codec.
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
    /// The text without a full stop at its end, because notes have none.
    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
