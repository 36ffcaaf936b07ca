private import HelioBroadcast
internal import HelioCore
private import HelioHost
internal import HelioPicture
internal import HelioServing
internal import HelioSharing

/// The outlet of a shared screen's media thread: passes slices, the pointer and reports about the pictures on to the
/// serving side.
final class ServedScreen<Platform: SourcePlatform>: PictureOutlet {
    private let screen: OpenedScreen<Platform>
    private let serving: Serving
    private let pointer: CursorFeed<Platform.Cursor>
    private var options: MirrorSource.Options { screen.ground.options }
    /// True if the options name a monitor: viewers then can't switch to another monitor; only this end can.
    private var isFixed: Bool { options.screen != nil }

    init(_ screen: OpenedScreen<Platform>, _ serving: Serving) {
        self.screen = screen
        self.serving = serving
        pointer = CursorFeed(
            screen.cursor, screen: screen.capture.size, picture: screen.format.size, server: serving.server)
        serving.server.setScreen(screen.capture.shownSize, on: screen.capture.layout.selected)
        serving.server.setMonitors(screen.capture.layout, isFixed: isFixed)
    }

    /// Makes the pipeline that captures and encodes the screen.
    func makePipeline() throws(HelioError) -> SourcePipeline<Platform.Screen, ServedScreen> {
        let largest = options.largest
        return try SourcePipeline(
            capture: screen.capture, format: screen.format, fit: { $0.fitted(within: largest) },
            longestPause: screen.servesBroadcasts ? BroadcastOptions.longestPause : nil,
            followsPath: options.adaptation == .automatic, keepsAwake: options.keepsAwake, controls: screen.controls,
            outlet: self)
    }

    /// Begins to broadcast if the options ask for it: the viewers' encoding, or an encoding for the broadcasts only.
    func beginBroadcast() async throws(HelioError) {
        guard let broadcast = serving.broadcast else { return }
        if screen.servesBroadcasts { return try await broadcast.begin(screen.format.codec, of: screen.controls) }
        let isFixed = screen.codec == nil || screen.codec == broadcast.encode.codec
        try await broadcast.begin(
            BroadcastScreen(
                of: broadcast, display: options.display, monitor: screen.capture.layout.selected.id,
                choice: isFixed ? options.encoder : .automatic, keepsAwake: options.keepsAwake, on: screen.platform,
                events: serving.events))
    }

    func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> Platform.Encoder {
        // An encoder chosen by name has one codec, but the viewers may have agreed on the other codec.
        let isOther = screen.codec != nil && format.codec != screen.codec
        return try screen.platform.makeEncoder(
            format, choice: isFallback ? .software : isOther ? .automatic : options.encoder)
    }

    func submit(_ slice: EncodedSlice) -> Bool { serving.submit(slice) }

    func pollCursor() throws(HelioError) { try pointer.poll() }

    func take(_ news: PictureNews) {
        switch news {
        case .format(let format, of: .main):
            serving.change(format)
            pointer.scale(to: format.size, of: screen.capture.size)
        case .format(let format, of: .second): serving.server.submit(.secondFormat(format))
        case .screen(let size, let monitor): serving.server.setScreen(size, on: monitor)
        case .layout(let layout):
            screen.board.layout = layout
            serving.broadcast?.select(layout.selected.id)
            serving.server.setMonitors(layout, isFixed: isFixed)
            serving.events.put(
                .monitors(layout.monitors.map { Monitor($0) }, selected: layout.selected.id))
        case .wantedSize(let size): serving.server.submit(.size(size))
        // Software encodes H.265 too slowly, so viewers that were sent H.265 from a hardware encoder get H.264.
        case .encoder(.h265, isHardware: false): serving.server.submit(.hardwareFailed)
        case .encoder: break
        case .trouble(let trouble): serving.count(trouble)
        case .shortage(let cause): serving.setShortage(cause)
        case .secondFailed: serving.server.submit(.secondFailed)
        case .note(let sentence): serving.note(sentence)
        }
    }
}
