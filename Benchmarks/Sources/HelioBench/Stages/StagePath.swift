import HelioCore
import HelioLinuxSink
import HelioLinuxSource
import HelioRTP

/// The path of pictures from a window system's pixels to a window's, without either.
final class StagePath {
    private static let bitrate = Bitrate.megabits(200)
    private static let largestPayload = 1200

    let size: PixelSize
    private let picture: PlanarPicture
    private let encoder: X264Encoder
    private let decoder: FFmpegDecoder
    private let window: UnsafeMutablePointer<UInt8>
    private let clock = ContinuousClock()
    private var time = Instant.zero
    private var frames: UInt64 = 0

    init(size: PixelSize) throws {
        self.size = size
        picture = try PlanarPicture(size: size, chroma: .yuv420, color: .bt709)
        encoder = try X264Encoder(VideoFormat(codec: .h264, size: size, framesPerSecond: 60, bitrate: Self.bitrate))
        decoder = try FFmpegDecoder(.h264)
        window = .allocate(capacity: size.width * size.height * 4)
        window.initialize(repeating: 0, count: size.width * size.height * 4)
    }

    deinit { window.deallocate() }

    /// Processes a screen's pixels in `rect` through all stages.
    func show(_ screen: StageScreen, in rect: PixelRect, scrolled: Int = 0) throws -> StageTimes {
        let start = clock.now
        picture.convert(screen.pixels(of: rect, scrolled: scrolled), stride: screen.stride, to: rect)
        let convert = milliseconds(since: start)
        var times = try code(refinement: 0) ?? StageTimes()
        times.convert = convert
        return times
    }

    /// Refines a still picture until it is sharp; returns the times of each step.
    func refine() throws -> [StageTimes] {
        var steps: [StageTimes] = []
        for step in 1...max(1, encoder.refinementSteps) {
            if encoder.isSharp { break }
            if let times = try code(refinement: step) { steps.append(times) }
        }
        return steps
    }

    /// - Returns: the times; `nil` if there was nothing to encode.
    private func code(refinement: Int) throws -> StageTimes? {
        var times = StageTimes()
        // The interval between pictures is long enough that the bitrate limits none.
        time = time + .seconds(1)
        var slices: [EncodedSlice] = []
        let started = clock.now
        var last = started
        try encoder.encode(
            picture, damage: Region(), request: EncodeRequest(keyframe: false, refinement: refinement),
            timing: FrameTiming(damaged: time, captured: time)
        ) {
            slices.append($0)
            last = clock.now
        }
        times.encode = milliseconds(started.duration(to: last))
        times.settle = milliseconds(since: last)
        guard !slices.isEmpty else { return nil }

        let cut = clock.now
        for slice in slices {
            let packets = PacketizedSlice(slice, codec: .h264, largestPayload: Self.largestPayload)
            precondition(!packets.payloads.isEmpty)
        }
        times.packetise = milliseconds(since: cut)

        let frame = ReceivedFrame(
            annexB: slices.flatMap(\.annexB), mediaTime: Int64(frames), frameIndex: frames,
            isKeyframe: slices[0].isKeyframe, firstArrival: time, completed: time)
        frames += 1
        let arrived = clock.now
        guard let decoded = try decoder.decode(frame) else { preconditionFailure("no picture") }
        times.decode = milliseconds(since: arrived)

        let drawn = clock.now
        for rect in decoded.damage?.rects ?? [PixelRect(size)] {
            let rect = PictureConverter.aligned(rect, in: decoded)
            PictureConverter.convert(
                decoded, rect, to: window + (rect.y * size.width + rect.x) * 4, stride: size.width * 4)
        }
        times.draw = milliseconds(since: drawn)
        return times
    }

    private func milliseconds(since start: ContinuousClock.Instant) -> Double {
        milliseconds(start.duration(to: clock.now))
    }

    private func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
    }
}
