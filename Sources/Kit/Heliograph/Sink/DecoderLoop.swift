internal import HelioCore
internal import HelioLinuxSink
private import HelioTransport
private import Synchronization

/// A picture on its way to the window, with what is known of its way so far.
struct DecodedFrame: Sendable {
    var picture: DecodedPicture
    var frame: ReceivedFrame
    var decoded: Instant
}

/// The viewer's decoding thread: every frame in, pictures out.
///
/// `@unchecked Sendable`: the decoder is touched by `run` alone, on its own thread.
final class DecoderLoop: @unchecked Sendable {
    /// More pictures than this wait only while the window's thread is stuck; newer ones are then refused, and the next
    /// one taken is to be drawn whole.
    private static let picturesWaiting = 16

    private let frames = FrameQueue(capacity: 60)
    private let pictures = Mailbox<DecodedFrame>(capacity: DecoderLoop.picturesWaiting)
    private let refused = Atomic(0)
    private let failed = Atomic(0)
    private let summaryText = Mutex("")
    private let bell: @Sendable () -> Void
    private let needKeyframe: @Sendable () -> Void
    private let mayReorder: Bool
    private var decoder: FFmpegDecoder?

    /// - Parameters:
    ///   - mayReorder: whether frames may be sent in another order than they are shown.
    ///   - bell: called on the decoding thread when a picture waits.
    ///   - needKeyframe: called on the decoding thread when it can't go on without one.
    init(
        mayReorder: Bool, bell: @escaping @Sendable () -> Void, needKeyframe: @escaping @Sendable () -> Void
    ) {
        self.mayReorder = mayReorder
        self.bell = bell
        self.needKeyframe = needKeyframe
    }

    /// Takes a frame from the event loop; false when the decoder is too slow, and all that waited is gone.
    func put(_ frame: ReceivedFrame) -> Bool { frames.put(frame) }

    func takePictures() -> [DecodedFrame] { pictures.takeAll() }

    /// For people: what decodes.
    var summary: String { summaryText.withLock { $0 } }

    /// What was thrown away here, by name.
    var drops: [String: Int] {
        let counts = [
            "decoder-too-slow": frames.overflowed, "window-too-slow": refused.load(ordering: .relaxed),
            "undecodable": failed.load(ordering: .relaxed),
        ]
        return counts.filter { $0.value > 0 }
    }

    /// Pictures that were refused since the beginning: the one after them has to be drawn whole.
    var refusedPictures: Int { refused.load(ordering: .acquiring) }

    func close() { frames.close() }

    /// The decoding thread's body; returns after `close`.
    func run() {
        while let waiting = frames.takeAll() {
            for frame in waiting { decode(frame) }
        }
    }

    private func decode(_ frame: ReceivedFrame) {
        do {
            guard let picture = try decoder(for: frame).decode(frame) else { return }
            var shown = frame
            // Only its times are wanted from here on.
            shown.annexB = []
            switch pictures.put(DecodedFrame(picture: picture, frame: shown, decoded: MonotonicClock.now)) {
            case .first, .queued: bell()
            case .full: refused.add(1, ordering: .releasing)
            }
        } catch {
            failed.add(1, ordering: .relaxed)
            decoder?.reset()
            needKeyframe()
        }
    }

    private func decoder(for frame: ReceivedFrame) throws(HelioError) -> FFmpegDecoder {
        if let decoder, decoder.codec == frame.codec { return decoder }
        let made = try FFmpegDecoder(frame.codec, mayReorder: mayReorder)
        summaryText.withLock { $0 = made.summary }
        decoder = made
        return made
    }
}
