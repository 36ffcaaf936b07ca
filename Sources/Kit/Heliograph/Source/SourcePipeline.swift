internal import HelioCore
internal import HelioMedia
internal import HelioPicture

/// The source's media thread: captures and encodes pictures as a `PictureEngine` decides, and passes slices on while
/// the rest of the picture is still being encoded.
///
/// This object is used on one thread; other threads make requests through `SourceControls` only.
final class SourcePipeline<Capture: ScreenCapturing, Outlet: PictureOutlet>
where Outlet.Encoder.Picture == Capture.Picture {
    /// The encoder of one encoding, and the picture that is captured for it.
    private final class Coding {
        var encoder: Outlet.Encoder
        var picture: Capture.Picture?

        init(_ encoder: Outlet.Encoder) { self.encoder = encoder }
    }

    private let capture: Capture
    private let controls: SourceControls
    private let outlet: Outlet
    private var engine: PictureEngine
    private let main: Coding
    private var second: Coding?

    /// - Parameters:
    ///   - format: the format, except for its size, which is the screen's size after `fit`.
    ///   - fit: returns the wanted size of the picture for a screen's size; by default the same size.
    ///   - longestPause: the time after which an unchanged picture is encoded again; the first repetition after a
    ///     changed picture follows one frame interval later. `nil` for no repetitions.
    ///   - followsPath: true if size and frame rate adapt to the viewers' paths (requirement row 6), as the bitrate
    ///     always does.
    ///   - keepsAwake: true to prevent the screen from being blanked while somebody watches.
    init(
        capture: Capture, format: VideoFormat, fit: @escaping @Sendable (PixelSize) -> PixelSize = { $0 },
        longestPause: Duration? = nil, followsPath: Bool = false, keepsAwake: Bool = false,
        controls: SourceControls, outlet: Outlet
    ) throws(HelioError) {
        self.capture = capture
        self.controls = controls
        self.outlet = outlet
        var format = format
        format.size = PictureEngine.size(of: capture.size, fit)
        main = Coding(try Self.makeEncoder(format, isFallback: false, outlet, for: capture))
        main.picture = try capture.makePicture(size: format.size, chroma: format.chroma, color: format.color)
        engine = PictureEngine(
            ScreenState(capture), format: format, encoder: EncoderTraits(main.encoder),
            fillsFurtherPictures: capture.fillsFurtherPictures, longestPause: longestPause, followsPath: followsPath,
            keepsAwake: keepsAwake, now: outlet.now, fit: fit)
    }

    private static func makeEncoder(
        _ format: VideoFormat, isFallback: Bool, _ outlet: Outlet, for capture: Capture
    ) throws(HelioError) -> Outlet.Encoder {
        let encoder = try outlet.makeEncoder(format, isFallback: isFallback)
        encoder.codeKeyframesAside(wake: capture.waker)
        return encoder
    }

    /// The encoder's human-readable name.
    var encoderSummary: String { main.encoder.summary }

    /// Captures and encodes until a stop is requested. Throws the error that ends the stream.
    func run() throws(HelioError) {
        while true {
            if engine.takesOrders {
                let orders = controls.take()
                if orders.stop { return }
                engine.obey(orders.pictures, now: outlet.now)
            }
            let now = outlet.now
            let step = engine.next(now: now) { id in coding(id).map { EncoderState($0.encoder, now: now) } }
            guard step.hasResult else {
                try carryOut(step)
                continue
            }
            let result = result(of: step, now)
            let then = outlet.now
            engine.handle(result, now: then) { id in coding(id).map { EncoderState($0.encoder, now: then) } }
        }
    }

    private func coding(_ id: EncodingID) -> Coding? { id == .main ? main : second }

    /// Executes a step without a result.
    private func carryOut(_ step: PictureStep) throws(HelioError) {
        switch step {
        case .wait(let until):
            switch try capture.waitForChange(until: until) {
            case .changed(let at): engine.changed(at: at)
            case .layoutChanged: engine.follow(ScreenState(capture), now: outlet.now)
            case .timeout, .woken: break
            }
        case .pollCursor: try outlet.pollCursor()
        case .keepAwake(let isWatched): capture.keepAwake(isWatched)
        case .tell(let news): outlet.take(news)
        case .close: second = nil
        case .fail(let error): throw error
        default: break
        }
    }

    /// Executes a step that has a result, and returns the result.
    private func result(of step: PictureStep, _ now: Instant) -> PictureResult {
        do throws(HelioError) {
            switch step {
            case .select(let monitor): try capture.select(monitor)
            case .makeEncoder(let id, let format, let isFallback):
                let encoder = try Self.makeEncoder(format, isFallback: isFallback, outlet, for: capture)
                if let coding = coding(id) { coding.encoder = encoder } else { second = Coding(encoder) }
                return .madeEncoder(EncoderTraits(encoder))
            case .reconfigure(let id, let format): try coding(id)?.encoder.reconfigure(format)
            case .makePicture(let id, let format):
                coding(id)?.picture = try capture.makePicture(
                    size: format.size, chroma: format.chroma, color: format.color)
            case .capture(let id, let extent): return .captured(try take(extent, for: id))
            case .encode(let id, let captured, let request, let timing):
                return .coded(try encode(captured, request, timing, of: id))
            case .takeKeyframe(let id, let frameIndex): return try takeKeyframe(of: id, frameIndex, now: now)
            case .wait, .pollCursor, .keepAwake, .tell, .close, .fail: break
            }
            return .done
        } catch {
            return .failed(error)
        }
    }

    private func take(_ extent: CaptureExtent, for id: EncodingID) throws(HelioError) -> Captured? {
        guard let picture = coding(id)?.picture else { return nil }
        return switch extent {
        case .changes: try capture.capture(into: picture, everything: false)
        case .everything: try capture.capture(into: picture, everything: true)
        case .part(let part): try capture.capture(part, into: picture)
        }
    }

    private func encode(
        _ captured: Captured, _ request: EncodeRequest, _ timing: FrameTiming, of id: EncodingID
    ) throws(HelioError) -> CodedPicture {
        var coded = CodedPicture(bytes: 0)
        guard let coding = coding(id), let picture = coding.picture else { return coded }
        try coding.encoder.encode(picture, damage: captured.damage, request: request, timing: timing) { slice in
            var slice = slice
            slice.frameIndex = request.frameIndex ?? 0
            coded.bytes += slice.annexB.count
            if slice.isKeyframe { coded.isKeyframe = true }
            submit(slice, of: id, &coded.isBroken)
        }
        return coded
    }

    private func takeKeyframe(
        of id: EncodingID, _ frameIndex: UInt64, now: Instant
    ) throws(HelioError) -> PictureResult {
        guard let coding = coding(id), let picture = coding.picture else {
            return .tookKeyframe(isBehind: nil, isBroken: false)
        }
        var isBroken = false
        let isBehind = try coding.encoder.takeKeyframe(of: picture, frameIndex: frameIndex, now: now) { slice in
            submit(slice, of: id, &isBroken)
        }
        return .tookKeyframe(isBehind: isBehind, isBroken: isBroken)
    }

    /// Passes a slice on, unless an earlier slice of the same picture was rejected (`isBroken`).
    private func submit(_ slice: EncodedSlice, of id: EncodingID, _ isBroken: inout Bool) {
        var slice = slice
        slice.encoding = id
        // The first viewer requests a keyframe twice: when it begins to watch, and when its stream starts. One keyframe
        // answers both.
        if slice.isFirst, slice.isKeyframe { controls.keyframeBegins(of: id) }
        if slice.isFirst, let since = slice.repairsSince { controls.repairBegins(since: since, of: id) }
        if !isBroken, !outlet.submit(slice) { isBroken = true }
    }
}
