internal import HelioCore
internal import Synchronization

/// The state that a `RecorderStream` shares with its recorder's callbacks. It is a separate object so that callbacks do
/// not retain the stream.
final class RecorderCore<Transfers: PictureTransfers & SendableMetatype, Buffer: Sendable>: Sendable {
    typealias Picture = Transfers.Session.Picture
    typealias Receiver = @Sendable (StreamEvent<Buffer>, Int) -> Void

    private struct State: Sendable {
        var life = RecorderLife()
        var drops = DropCounter<RecorderDrop>()
        /// The size of the upright pictures.
        var size: PixelSize
        /// The last picture, as delivered by the recorder.
        var last: (buffer: Buffer, turn: PictureTurn)?
        var settings: StreamSettings?
        var receive: Receiver?
    }

    /// The shaper, wrapped for a lock, so that it processes one picture at a time.
    private struct Shaping: ~Copyable {
        let shaper: PictureShaper<Transfers>
    }

    private let state: Mutex<State>
    private let shaping: Mutex<Shaping>
    private let recorder: any ScreenRecording<Buffer>
    private let open: @Sendable (Buffer) -> Picture
    private let box: @Sendable (Picture) -> Buffer
    private let tell: @Sendable (String) -> Void

    init(
        _ recorder: any ScreenRecording<Buffer>, shaper: sending PictureShaper<Transfers>, guess: PixelSize,
        open: @escaping @Sendable (Buffer) -> Picture, box: @escaping @Sendable (Picture) -> Buffer,
        tell: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(size: guess))
        shaping = Mutex(Shaping(shaper: shaper))
        self.recorder = recorder
        self.open = open
        self.box = box
        self.tell = tell
    }

    var drops: DropCounter<RecorderDrop> { state.withLock { $0.drops } }
    var size: PixelSize { state.withLock { $0.size } }

    // MARK: The stream

    func start(_ settings: StreamSettings, _ receive: @escaping Receiver) {
        let actions = state.withLock { state in
            (state.settings, state.receive) = (settings, receive)
            return state.life.share()
        }
        perform(actions)
        deliver()
    }

    func update(_ settings: StreamSettings) {
        state.withLock { if $0.settings != nil { $0.settings = settings } }
        deliver()
    }

    func stop() { state.withLock { ($0.settings, $0.receive) = (nil, nil) } }

    func end() {
        stop()
        perform(state.withLock { $0.life.unshare() })
    }

    // MARK: The recorder

    private func hear(_ event: RecorderEvent<Buffer>) {
        switch event {
        case .picture(let buffer, let turn): take(buffer, turn)
        case .left: perform(state.withLock { $0.life.minimised() })
        case .returned: perform(state.withLock { $0.life.returned() })
        case .answered(let stop):
            let actions = state.withLock { $0.life.started(error: stop?.text) }
            // The receiver of the event decides whether to start again or to report an error to the user.
            if let stop { report(.stopped(stop)) } else { perform(actions) }
        case .stopped(let stop):
            let isNews = state.withLock { state in
                defer { _ = state.life.ended(error: stop.text) }
                return state.life.state == .recording || state.life.state == .starting
            }
            if isNews { report(.stopped(stop)) }
        }
    }

    private func perform(_ actions: [RecorderLife.Action]) {
        for action in actions {
            switch action {
            case .start: recorder.start { [weak self] in self?.hear($0) }
            case .stop: recorder.stop()
            case .tell(let text): tell(text)
            }
        }
    }

    private func report(_ event: StreamEvent<Buffer>) {
        let (receive, generation) = state.withLock { ($0.receive, $0.settings?.generation) }
        if let receive, let generation { receive(event, generation) }
    }

    private func take(_ buffer: Buffer, _ turn: PictureTurn) {
        let raw = shaping.withLock { $0.shaper.transfers.size(of: open(buffer)) }
        let upright = PictureRotation(turn).turned(PixelSize(width: raw.width & ~1, height: raw.height & ~1))
        guard DisplayInfo.device(upright).monitor != nil else {
            return state.withLock { $0.drops.count(.wrongSize) }
        }
        let isTurned = state.withLock { state in
            defer { (state.size, state.last) = (upright, (buffer, turn)) }
            return state.size != upright
        }
        // The requested size has the wrong orientation if the device was rotated: report the new display size, and
        // deliver the picture after the next request.
        if isTurned { report(.displaysChanged) } else { deliver() }
    }

    /// Delivers the last picture in the requested size. Runs under the lock `shaping`, so that an older picture never
    /// follows a newer one.
    private func deliver() {
        let drop: RecorderDrop? = shaping.withLock { shaping in
            let (last, settings, size) = state.withLock { ($0.last, $0.settings, $0.size) }
            guard let last else { return nil }
            guard let settings else { return .notWanted }
            guard Self.isSameShape(settings.size, size) else { return nil }
            do {
                let rotation = PictureRotation(last.turn)
                let shaped = try shaping.shaper.shape(open(last.buffer), rotation: rotation, to: settings.size)
                guard let shaped else { return .noRoom }
                report(.frame(StreamFrame(buffer: box(shaped), size: settings.size)))
                return nil
            } catch { return .notShaped }
        }
        if let drop { state.withLock { $0.drops.count(drop) } }
    }

    /// Returns false if a size was requested before the device was rotated; another request will follow.
    private static func isSameShape(_ wanted: PixelSize, _ size: PixelSize) -> Bool {
        (wanted.width > wanted.height) == (size.width > size.height)
    }
}

extension PictureRotation {
    init(_ turn: PictureTurn) {
        self =
            switch turn {
            case .none: .none
            case .quarter: .quarter
            case .half: .half
            case .threeQuarters: .threeQuarters
            }
    }
}
