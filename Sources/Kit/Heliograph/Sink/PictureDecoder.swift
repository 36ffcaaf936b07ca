internal import HelioCore
internal import HelioLinuxSink
private import HelioTransport
private import Synchronization

/// Decodes the coded pictures of one stream, H.264 or H.265, on a thread of its own: for a ``PictureWindow``, or for who
/// wants to know what came.
///
/// Pictures of more than 35,651,584 pixels, which is more than any level of either codec has, are counted as drops.
/// Frames that come faster than they can be decoded are thrown away all together, and a keyframe is asked for.
public final class PictureDecoder: Sendable {
    private struct Ears {
        var bell: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let decoding: DecoderLoop
    private let codec: VideoCodec
    private let ears: EarsBox
    private let counter = Atomic<UInt64>(0)

    /// What the decoding thread tells, which begins before there is a window.
    private final class EarsBox: Sendable {
        let state = Mutex(Ears())

        func ring() { state.withLock { $0.bell }?() }
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - format: the codec.
    ///   - needKeyframe: called on the decoding thread when it can't go on without one.
    ///   - onPicture: called on the decoding thread with each picture; `nil` where a ``PictureWindow`` takes them.
    public init(
        _ format: MediaAttributes.Format = .avc, needKeyframe: @escaping @Sendable () -> Void,
        onPicture: (@Sendable (DecodedImage) -> Void)? = nil
    ) {
        let ears = EarsBox()
        self.ears = ears
        codec = format == .hevc ? .h265 : .h264
        let decoding = DecoderLoop(mayReorder: false, bell: { ears.ring() }, needKeyframe: needKeyframe)
        self.decoding = decoding
        if let onPicture {
            ears.state.withLock {
                $0.bell = { [weak decoding] in
                    for frame in decoding?.takePictures() ?? [] { onPicture(DecodedImage(picture: frame.picture)) }
                }
            }
        }
        WorkerThread(name: "heliograph-decode") { decoding.run() }
    }

    deinit { decoding.close() }

    /// Hands over a coded picture. Any thread, in the stream's order; never blocks.
    ///
    /// - Returns: false where so many wait that all were thrown away: ask for a keyframe.
    @discardableResult
    public func put(_ frame: EncodedFrame) -> Bool {
        let now = MonotonicClock.now
        let index = counter.add(1, ordering: .relaxed).oldValue
        return decoding.put(
            ReceivedFrame(
                codec: codec, annexB: frame.annexB, mediaTime: frame.presentationTime.nanoseconds / 100_000 * 9,
                frameIndex: index, isKeyframe: frame.isKeyframe, firstArrival: now, completed: now))
    }

    /// What was thrown away, by name.
    public var drops: [String: Int] { decoding.drops }

    /// For people: what decodes. Empty before the first picture.
    public var summary: String { decoding.summary }

    /// No more frames; the window that shows them closes.
    public func close() {
        ears.state.withLock { $0.isClosed = true }
        decoding.close()
        ears.ring()
    }

    var isClosed: Bool { ears.state.withLock { $0.isClosed } }
    var refusedPictures: Int { decoding.refusedPictures }
    func takePictures() -> [DecodedFrame] { decoding.takePictures() }

    /// Called on the decoding thread when a picture waits, and when the decoder is closed.
    func listen(_ bell: @escaping @Sendable () -> Void) { ears.state.withLock { $0.bell = bell } }
}
