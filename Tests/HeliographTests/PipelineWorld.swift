import HelioCore
import HelioPicture
import HelioSession
import Testing

@testable import Heliograph

/// A source's media thread without a screen, on virtual time: the test is a list of steps, 20 ms apart.
final class PipelineWorld: PictureOutlet {
    private typealias Pipeline = SourcePipeline<FakeScreen, PipelineWorld>

    struct Picture: Hashable {
        var encoder: String
        var bitrate: Bitrate
        var isKeyframe: Bool
        var repairSince: UInt64?
        var size = PipelineWorld.size
        var framesPerSecond = 60
    }

    /// Injected faults of encoders.
    struct Faults {
        /// The attempts to make an encoder that fail, counted from 0 over the selected encoder and fallbacks.
        var starts: Set<Int> = []
        /// The pictures that fail, counted from 0 over all encoders.
        var pictures: Set<Int> = []
        /// Returns true for formats that every encoder rejects.
        var refuses: (VideoFormat) -> Bool = { _ in false }
    }

    static let size = PixelSize(width: 640, height: 480)
    static let format = VideoFormat(codec: .h264, size: size, bitrate: .megabits(20))

    var faults = Faults()
    /// True if the selected encoder is hardware, and whether it changes its bitrate in place.
    var isHardware = false
    var changesRatesInPlace = true
    var repairs = false
    private(set) var coded: [Picture] = []
    private(set) var notes: [String] = []
    private(set) var troubles: [EncoderTrouble] = []
    private(set) var encoderChanges: [Bool] = []
    private(set) var formats: [VideoFormat] = []
    private(set) var shortages: [String?] = []
    /// The submitted slices, and the reports about the second encode.
    private(set) var submitted: [EncodedSlice] = []
    private(set) var secondFormats: [VideoFormat] = []
    private(set) var secondFailures = 0
    /// True if the screen fills the picture of a second encode.
    var fillsFurtherPictures = true
    /// True if size and frame rate adapt to the bitrate.
    var followsPath = false
    /// The bits of a whole picture at quantiser 38; the encoder meets its bitrate by its quantiser. With 0 it reports
    /// no quantiser.
    var cost = 0
    /// The steps in which the encoder refines a still picture, and the number of them that find nothing to refine.
    var refinementSteps = 0
    var emptyRefinements = 0
    /// True if keyframes are encoded aside, whether pictures are encoded meanwhile, and whether the started keyframes
    /// complete.
    var codesAside = false
    var codesMeanwhile = true
    var completesAside = false
    /// The number of requested refinements.
    fileprivate(set) var refinements = 0
    /// True if all outputs are switched off; each step may change it.
    var isOff = false
    /// The successive requests to keep the screen awake.
    fileprivate(set) var awake: [Bool] = []
    /// True if the present step changes nothing on the screen.
    fileprivate var isStill = false
    let controls = SourceControls(bell: {})
    fileprivate(set) var now = Instant.zero + .seconds(100)
    fileprivate var starts = 0
    fileprivate var pictures = 0

    /// Encodes a picture, and another one after each step; then stops.
    ///
    /// - Parameter change: the part of the screen that changes in each picture.
    func run(
        change: PixelRect = PixelRect(x: 0, y: 0, width: 64, height: 64), _ steps: [() -> Void]
    ) throws(HelioError) {
        let screen = FakeScreen(self, change: change, steps: steps)
        controls.setWatched(true)
        let pipeline = try Pipeline(
            capture: screen, format: Self.format, followsPath: followsPath, keepsAwake: true, controls: controls,
            outlet: self)
        try pipeline.run()
    }

    func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> FakeEncoder {
        defer { starts += 1 }
        if faults.starts.contains(starts) || faults.refuses(format) { throw Self.failure }
        return FakeEncoder(self, format, isHardware: isHardware && !isFallback)
    }

    func submit(_ slice: EncodedSlice) -> Bool {
        submitted.append(slice)
        return true
    }

    func take(_ news: PictureNews) {
        switch news {
        case .format(let format, of: .main): formats.append(format)
        case .format(let format, of: .second): secondFormats.append(format)
        case .encoder(_, let isHardware): encoderChanges.append(isHardware)
        case .trouble(let trouble): troubles.append(trouble)
        case .shortage(let cause): shortages.append(cause)
        case .secondFailed: secondFailures += 1
        case .note(let sentence): notes.append(sentence)
        case .screen, .layout, .wantedSize: break
        }
    }

    func pause(_ duration: Duration) { now = now + duration }

    /// A step in which the screen stays unchanged.
    func rest(_ duration: Duration) {
        pause(duration)
        isStill = true
    }

    fileprivate static let failure = HelioError(.encoderFailed, "No.")

    fileprivate func code(_ picture: Picture) throws(HelioError) {
        defer { pictures += 1 }
        if faults.pictures.contains(pictures) { throw Self.failure }
        coded.append(picture)
    }

    final class FakeScreen: ScreenCapturing {
        final class Picture {
            let size: PixelSize

            init(_ size: PixelSize) { self.size = size }
        }

        private let world: PipelineWorld
        private let change: PixelRect
        private var steps: [() -> Void]
        let layout: MonitorLayout
        let notes: [String] = []
        let waker: @Sendable () -> Void = {}
        let size = PipelineWorld.size

        fileprivate init(_ world: PipelineWorld, change: PixelRect, steps: [() -> Void]) {
            (self.world, self.change, self.steps) = (world, change, steps)
            let monitor = ScreenMonitor(id: "1", name: "1", rect: PixelRect(PipelineWorld.size), isPrimary: true)
            layout = MonitorLayout([monitor], selected: monitor)
        }

        func select(_ id: ScreenMonitor.ID) {}
        var isOff: Bool { world.isOff }
        func keepAwake(_ isWatched: Bool) { world.awake.append(isWatched) }

        func waitForChange(until: Instant?) -> CaptureEvent {
            world.now = world.now + .milliseconds(20)
            if steps.isEmpty {
                world.controls.stop()
                return .woken
            }
            let wasOff = world.isOff
            steps.removeFirst()()
            if world.isOff != wasOff { return .layoutChanged }
            if world.isStill {
                world.isStill = false
                return .timeout
            }
            return .changed(at: world.now)
        }

        func capture(into picture: Picture, everything: Bool) -> Captured? {
            if world.isOff { return nil }
            return Captured(
                damage: Region(everything ? PixelRect(picture.size) : change.intersection(PixelRect(picture.size))),
                captured: world.now, converted: world.now)
        }

        var fillsFurtherPictures: Bool { world.fillsFurtherPictures }

        func capture(_ part: Region, into picture: Picture) -> Captured? {
            Captured(
                damage: part.isEmpty ? Region() : Region(PixelRect(picture.size)), captured: world.now,
                converted: world.now)
        }

        func makePicture(size: PixelSize, chroma: ChromaSampling, color: ColorDescription) -> Picture { Picture(size) }
    }

    final class FakeEncoder: VideoEncoding {
        private let world: PipelineWorld
        private(set) var format: VideoFormat
        let isHardware: Bool
        let changesRatesInPlace: Bool
        let repairs: Bool
        private var needsKeyframe = true
        private var codesAside = false
        private var isAside = false
        /// True if the screen has changed since the keyframe aside was started.
        private var isBehind = false
        var refinementSteps: Int { world.refinementSteps }
        var isSharp: Bool { world.refinementSteps == 0 }
        private(set) var quality: CodedQuality?

        init(_ world: PipelineWorld, _ format: VideoFormat, isHardware: Bool) {
            (self.world, self.format, self.isHardware) = (world, format, isHardware)
            changesRatesInPlace = world.changesRatesInPlace
            repairs = world.repairs
        }

        var summary: String { isHardware ? "hardware" : "software" }

        func encode(
            _ picture: FakeScreen.Picture, damage: Region, request: EncodeRequest, timing: FrameTiming,
            emit: (EncodedSlice) -> Void
        ) throws(HelioError) {
            #expect(picture.size == format.size)
            var isKeyframe = request.keyframe || needsKeyframe
            if isAside {
                if request.refinement > 0 { Issue.record("refined in vain") }
                if !damage.isEmpty { isBehind = true }
                if damage.isEmpty || !world.codesMeanwhile { return }
                isKeyframe = false
            } else if isKeyframe, !needsKeyframe, codesAside {
                (isAside, isBehind, isKeyframe) = (true, false, false)
                if damage.isEmpty { return }
            }
            if request.refinement > 0 {
                world.refinements += 1
                if world.refinements <= world.emptyRefinements { return }
            }
            try world.code(
                .init(
                    encoder: summary, bitrate: format.bitrate, isKeyframe: isKeyframe, repairSince: request.repairSince,
                    size: format.size,
                    framesPerSecond: format.framesPerSecond))
            needsKeyframe = false
            let bytes = isKeyframe ? 8 : code(picture.size)
            emit(
                EncodedSlice(
                    frameIndex: 0, annexB: [0, 0, 0, 1, 0x65] + Array(repeating: 1, count: bytes), isFirst: true,
                    isLast: true, isKeyframe: isKeyframe,
                    timing: timing, repairsSince: request.repairSince))
        }

        func codeKeyframesAside(wake: @escaping @Sendable () -> Void) { codesAside = world.codesAside }

        var keyframeAside: KeyframeAside { !isAside ? .absent : world.completesAside ? .complete : .coding }

        func takeKeyframe(
            of picture: FakeScreen.Picture, frameIndex: UInt64?, now: Instant, emit: (EncodedSlice) -> Void
        ) throws(HelioError) -> Bool? {
            guard keyframeAside == .complete else { return nil }
            isAside = false
            try world.code(.init(encoder: summary, bitrate: format.bitrate, isKeyframe: true, size: format.size))
            emit(
                EncodedSlice(
                    frameIndex: frameIndex ?? 0, annexB: [0, 0, 0, 1, 0x65], isFirst: true, isLast: true,
                    isKeyframe: true, timing: FrameTiming(damaged: now, captured: now)))
            return isBehind
        }

        /// Selects the quantiser with which a picture fits the bitrate; returns its size in bytes.
        private func code(_ size: PixelSize) -> Int {
            guard world.cost > 0 else { return 0 }
            let needed = world.cost * size.area / PipelineWorld.size.area
            let given = format.bitrate.bitsPerSecond / min(50, format.framesPerSecond)
            var (quantiser, bits) = (22, needed * 6)
            while quantiser < 51, bits > given { (quantiser, bits) = (quantiser + 1, bits * 89 / 100) }
            quality = CodedQuality(quantiser: quantiser)
            return bits / 8
        }

        func reconfigure(_ new: VideoFormat) throws(HelioError) {
            if world.faults.refuses(new) { throw PipelineWorld.failure }
            if new != format, !changesRatesInPlace || new.size != format.size { needsKeyframe = true }
            format = new
        }
    }
}
