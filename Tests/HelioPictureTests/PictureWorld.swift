import HelioCore
import HelioMedia
import HelioPicture

/// A `PictureEngine` whose screen and encoders execute its orders at once; all events are recorded as lines.
struct PictureWorld {
    static let size = PixelSize(width: 640, height: 480)
    static let format = VideoFormat(codec: .h264, size: size, bitrate: .megabits(20))
    static let error = HelioError(.encoderFailed, "No.")

    var engine: PictureEngine
    var now = Instant.zero + .seconds(100)
    var screen: ScreenState
    var states: [EncodingID: EncoderState] = [.main: EncoderState()]
    /// Faults: the frame indices at which encoding fails, encoders that can't be made, and formats that are rejected.
    var failsToCode: (UInt64) -> Bool = { _ in false }
    var failsToMake: (VideoFormat, _ isFallback: Bool) -> Bool = { _, _ in false }
    var refuses: (VideoFormat) -> Bool = { _ in false }
    /// The bytes of a picture; zero for a refinement with nothing to refine.
    var bytes: (EncodeRequest) -> Int = { _ in 1000 }
    /// The changed part of the screen; empty if there is none.
    private var damage = Region()
    private var isBehind = false
    private var lines: [String] = []

    init(isHardware: Bool = false, followsPath: Bool = false) {
        let monitor = ScreenMonitor(id: "1", name: "1", rect: PixelRect(Self.size), isPrimary: true)
        screen = ScreenState(layout: MonitorLayout([monitor], selected: monitor), size: Self.size, shown: Self.size)
        engine = PictureEngine(
            screen, format: Self.format,
            encoder: EncoderTraits(summary: isHardware ? "hardware" : "software", isHardware: isHardware),
            fillsFurtherPictures: true, followsPath: followsPath, now: now)
    }

    // MARK: Events

    /// Passes orders to the engine; returns all its actions until it waits.
    mutating func order(_ change: (inout PictureOrders) -> Void) -> [String] {
        var orders = PictureOrders()
        change(&orders)
        engine.obey(orders, now: now)
        return run()
    }

    /// Changes a part of the screen after a pause; returns the engine's actions until it waits.
    mutating func change(
        _ rect: PixelRect = PixelRect(x: 0, y: 0, width: 64, height: 64), after pause: Duration = .milliseconds(20)
    ) -> [String] {
        now = now + pause
        damage.add(rect)
        engine.changed(at: now)
        return run()
    }

    /// Advances the time without changes; returns the engine's actions at its end.
    mutating func rest(_ duration: Duration) -> [String] {
        now = now + duration
        return run()
    }

    /// Completes the keyframe that is encoded aside.
    mutating func complete(isBehind: Bool) -> [String] {
        states[.main]?.keyframeAside = .complete
        self.isBehind = isBehind
        return run()
    }

    mutating func resize(to size: PixelSize) -> [String] {
        let monitor = ScreenMonitor(id: "1", name: "1", rect: PixelRect(size), isPrimary: true)
        screen = ScreenState(layout: MonitorLayout([monitor], selected: monitor), size: size, shown: size)
        engine.follow(screen, now: now)
        return run()
    }

    // MARK: The engine's actions

    private mutating func run() -> [String] {
        lines = []
        for _ in 0..<100 {
            let step = engine.next(now: now) { states[$0] }
            if case .wait = step { return lines }
            guard step.hasResult else {
                carryOut(step)
                continue
            }
            let result = work(step)
            engine.handle(result, now: now) { states[$0] }
        }
        return lines + ["it does not come to rest"]
    }

    private mutating func carryOut(_ step: PictureStep) {
        switch step {
        case .tell(.note(let sentence)): lines.append(sentence)
        case .tell(.format(let format, of: let id)): lines.append("\(id) is \(Self.name(format))")
        case .tell(.trouble(let trouble)): lines.append(trouble.rawValue)
        case .tell(.secondFailed): lines.append("no second")
        case .tell(.encoder(let codec, let isHardware)):
            lines.append("\(codec.encodingName) by \(isHardware ? "hardware" : "software")")
        case .close(let id):
            states[id] = nil
            lines.append("close \(id)")
        case .fail(let error): lines.append("ends: \(error.message)")
        default: break
        }
    }

    private mutating func work(_ step: PictureStep) -> PictureResult {
        switch step {
        case .makeEncoder(let id, let format, let isFallback):
            lines.append("make \(isFallback ? "fallback" : "encoder") \(id) \(Self.name(format))")
            if failsToMake(format, isFallback) { return .failed(Self.error) }
            states[id] = states[.main]
            states[id]?.keyframeAside = .absent
            return .madeEncoder(EncoderTraits(summary: "software", isHardware: false))
        case .reconfigure(let id, let format):
            lines.append("reconfigure \(id) \(Self.name(format))")
            return refuses(format) ? .failed(Self.error) : .done
        case .makePicture(let id, let format):
            lines.append("picture \(id) \(format.size)")
            return .done
        case .capture(let id, let extent): return .captured(capture(extent, id))
        case .encode(let id, let captured, let request, _): return encode(captured, request, id)
        case .takeKeyframe(let id, let frameIndex):
            states[id]?.keyframeAside = .absent
            lines.append("\(id) \(frameIndex) keyframe from aside")
            return .tookKeyframe(isBehind: isBehind, isBroken: false)
        default: return .done
        }
    }

    private mutating func capture(_ extent: CaptureExtent, _ id: EncodingID) -> Captured? {
        switch extent {
        case .part(let part): return Captured(damage: part, captured: now, converted: now)
        case .changes, .everything:
            if extent == .everything { damage = Region(PixelRect(screen.size)) }
            defer { damage = Region() }
            return damage.isEmpty ? nil : Captured(damage: damage, captured: now, converted: now)
        }
    }

    private mutating func encode(_ captured: Captured, _ request: EncodeRequest, _ id: EncodingID) -> PictureResult {
        let index = request.frameIndex ?? 0
        var line = "\(id) \(index & 0xFF_FFFF)"
        if request.keyframe { line += " keyframe" }
        if let since = request.repairSince { line += " repair since \(since)" }
        if request.refinement > 0 { line += " refinement \(request.refinement)" }
        if captured.damage.isEmpty, request.refinement == 0 { line += " again" }
        if failsToCode(index) {
            lines.append(line + " fails")
            return .failed(Self.error)
        }
        let bytes = bytes(request)
        lines.append(bytes == 0 ? line + " gives none" : line)
        return .coded(CodedPicture(bytes: bytes, isKeyframe: request.keyframe))
    }

    private static func name(_ format: VideoFormat) -> String {
        "\(format.codec.encodingName) \(format.size) at \(format.framesPerSecond), \(format.bitrate)"
    }
}

extension PictureOrders {
    mutating func ask(_ wish: KeyframeWish, of id: EncodingID = .main) {
        wishes[id, default: PictureWishes()].ask(wish)
    }
    mutating func ask(_ wish: RepairWish, of id: EncodingID = .main) { wishes[id, default: PictureWishes()].ask(wish) }
}
