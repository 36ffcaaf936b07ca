internal import HelioCore
private import HelioGround
internal import HelioSharing
private import Synchronization

/// Decodes the coded pictures of one stream, H.264 or H.265, on a thread of its own: for a ``PictureWindow``, or for
/// the app's own use.
///
/// Pictures of more than 35,651,584 pixels, which is more than any level of either codec allows, are counted as drops.
/// If frames arrive faster than they can be decoded, all queued frames are dropped and a keyframe is requested.
public final class PictureDecoder: Sendable {
    let stream: any PictureDecoding
    private let codec: VideoCodec
    private let counter = Atomic<UInt64>(0)

    /// Starts the decoding thread.
    ///
    /// - Parameters:
    ///   - format: the codec of the pictures.
    ///   - needKeyframe: called on the decoding thread when decoding can't continue without a keyframe.
    ///   - onPicture: called on the decoding thread with each picture; `nil` if a ``PictureWindow`` shows them.
    public convenience init(
        _ format: MediaAttributes.Format = .avc, needKeyframe: @escaping @Sendable () -> Void,
        onPicture: (@Sendable (DecodedImage) -> Void)? = nil
    ) {
        self.init(on: systemSink, format, needKeyframe: needKeyframe, onPicture: onPicture)
    }

    /// Starts the decoding thread, with the decoder of a given platform.
    init(
        on platform: some SinkPlatform, _ format: MediaAttributes.Format, needKeyframe: @escaping @Sendable () -> Void,
        onPicture: (@Sendable (DecodedImage) -> Void)?
    ) {
        codec = format == .hevc ? .h265 : .h264
        stream = PictureStream(on: platform, needKeyframe: needKeyframe, onPicture: onPicture)
    }

    deinit { stream.close() }

    /// Queues a coded picture. Call it on any thread, in the stream's order; it never blocks.
    ///
    /// - Returns: false if too many frames were queued and all were dropped: the caller then has to request a keyframe.
    @discardableResult
    public func put(_ frame: EncodedFrame) -> Bool {
        let now = MonotonicClock.now
        let index = counter.add(1, ordering: .relaxed).oldValue
        return stream.put(
            ReceivedFrame(
                codec: codec, annexB: frame.annexB, mediaTime: frame.presentationTime.nanoseconds / 100_000 * 9,
                frameIndex: index, isKeyframe: frame.isKeyframe, firstArrival: now, completed: now))
    }

    /// The number of dropped frames and pictures by reason.
    public var drops: [String: Int] { stream.allDrops }

    /// The decoder's human-readable name. Empty before the first picture.
    public var summary: String { stream.summary }

    /// Stops decoding: ignores further frames, and closes the window that shows the pictures.
    public func close() { stream.close() }
}
