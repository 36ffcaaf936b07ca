internal import HelioCore
private import HelioGround
private import Synchronization

/// Finds the picture sizes for which NVIDIA's engine decodes faster than software.
///
/// The measurement runs once, on its own thread, and no other thread waits for it: software decodes until it has ended.
/// Without a card it ends at once. The device has fixed costs, which weigh less for larger pictures. So if the device
/// is faster for one size, it is faster for all larger sizes, and if it is slower, it is slower for all smaller sizes.
final class DecoderMeasurement: Sendable {
    /// The sizes of the test pictures, in ascending order. Pictures that are smaller than the first size are decoded by
    /// software.
    static let sizes = [
        PixelSize(width: 1280, height: 720), PixelSize(width: 1920, height: 1080), PixelSize(width: 2560, height: 1440),
        PixelSize(width: 3840, height: 2160),
    ]
    /// The time limit of the measurement, counted from the opening of the device; no picture is encoded or decoded
    /// after it.
    static let limit = Duration.milliseconds(300)

    /// Opens the device; `nil` if there is none.
    typealias Opening = @Sendable () -> (any DecodingDevice)?
    /// Measures the decoding of pictures of a size; `nil` if it can't be measured before the deadline.
    typealias Timing = @Sendable (VideoCodec, PixelSize, any DecodingDevice, _ deadline: Instant) -> DecodingTimes?

    static let shared = DecoderMeasurement(
        open: { HardwareDevice(.nvdec) }, time: DecodingTrial.times, now: { MonotonicClock.now })

    private struct State {
        var hasBegun = false
        var device: (any DecodingDevice)?
        /// For each codec, the smallest measured size for which the device is faster; no entry if there is none.
        var least: [VideoCodec: PixelSize] = [:]
    }

    private let state = Mutex(State())
    private let open: Opening
    private let time: Timing
    private let now: @Sendable () -> Instant

    init(open: @escaping Opening, time: @escaping Timing, now: @escaping @Sendable () -> Instant) {
        self.open = open
        self.time = time
        self.now = now
    }

    /// Starts the measurement on its own thread; further calls do nothing.
    func begin() {
        guard beginOnce() else { return }
        // If the thread can't be created, software decodes everything.
        _ = try? WorkerThread.start(name: "heliograph-test", stack: WorkerThread.usualStack) { [self] in measure() }
    }

    private func beginOnce() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    /// Measures on the calling thread. The results of each codec are available as soon as it was measured.
    func measure() {
        guard let device = open() else { return }
        let deadline = now() + Self.limit
        for codec in VideoCodec.allCases {
            guard let least = leastSize(for: codec, device, deadline) else { continue }
            state.withLock { state in
                state.device = device
                state.least[codec] = least
            }
        }
    }

    /// Returns the device that decodes pictures of this size; `nil` for software, which is also used until there is a
    /// result. Does not wait.
    func device(for codec: VideoCodec, size: PixelSize) -> (any DecodingDevice)? {
        state.withLock { state in
            guard let least = state.least[codec], size.area >= least.area else { return nil }
            return state.device
        }
    }

    /// The codecs that the device decodes faster than software for at least one size, according to the measurement so
    /// far. Does not wait.
    var codecs: Set<VideoCodec> { state.withLock { Set($0.least.keys) } }

    /// Returns the smallest of `sizes` for which the device is known to be faster; `nil` if there is none.
    private func leastSize(
        for codec: VideoCodec, _ device: any DecodingDevice, _ deadline: Instant
    ) -> PixelSize? {
        var least: PixelSize?
        var unknown = Self.sizes[...]
        while !unknown.isEmpty, now() < deadline {
            // Begin with 1920x1080, the most frequent size.
            let middle = (unknown.startIndex + unknown.endIndex - 1) / 2
            guard let times = time(codec, Self.sizes[middle], device, deadline) else { break }
            if times.prefersDevice(for: codec) {
                least = Self.sizes[middle]
                unknown = unknown[..<middle]
            } else {
                unknown = unknown[(middle + 1)...]
            }
        }
        return least
    }
}
