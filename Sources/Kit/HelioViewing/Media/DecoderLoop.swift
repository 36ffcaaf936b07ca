internal import HelioCore
private import HelioGround
private import Synchronization

/// The viewer's decoding thread: decodes all queued frames, and queues the pictures for the window.
///
/// `@unchecked Sendable`: the decoder is used by `run` alone, on its own thread.
final class DecoderLoop<Decoder: VideoDecoding>: DropCounting, @unchecked Sendable {
    /// The maximum number of pictures queued for the window. The queue is full only while the window's thread is
    /// blocked; newer pictures are then dropped, and the next picture taken has to be drawn completely.
    private static var picturesWaiting: Int { 16 }
    /// The number of hardware failures, with fewer than `provingPictures` good pictures in between, after which
    /// software replaces the hardware decoder. A software decoder is never replaced, because a frame that it can't
    /// decode is invalid.
    private static var hardwareFailuresTolerated: Int { 3 }
    private static var provingPictures: Int { 300 }

    /// Makes the chosen decoder or, as fallback, a software decoder.
    typealias MakeDecoder = @Sendable (VideoCodec, _ isFallback: Bool) throws(HelioError) -> Decoder

    private let frames = FrameQueue(capacity: 60)
    private let pictures = Mailbox<DecodedFrame<Decoder.Picture>>(capacity: DecoderLoop.picturesWaiting)
    private let refused = Atomic(0)
    private let failed = Atomic(0)
    private let tooLarge = Atomic(0)
    /// The first size that was refused, and whether it has been reported.
    private let refusal = Mutex<(size: PixelSize?, isTold: Bool)>((nil, false))
    private let summaryText = Mutex("")
    private let bell: @Sendable () -> Void
    private let needKeyframe: @Sendable () -> Void
    private let makeDecoder: MakeDecoder
    private var decoder: Decoder?
    /// True once a software decoder has replaced a failed hardware decoder.
    private var isFallenBack = false
    private var hardwareFailures = 0
    private var awaitsKeyframe = true
    private var picturesSinceFailure = 0
    private let notes: NoteBoard

    /// - Parameters:
    ///   - notes: receives notes about the decoder for the user.
    ///   - bell: called on the decoding thread when a picture is queued or a size was refused.
    ///   - needKeyframe: called on the decoding thread when decoding can't continue without a keyframe.
    ///   - makeDecoder: called on the decoding thread when a decoder is needed.
    init(
        notes: NoteBoard, bell: @escaping @Sendable () -> Void, needKeyframe: @escaping @Sendable () -> Void,
        makeDecoder: @escaping MakeDecoder
    ) {
        self.notes = notes
        self.makeDecoder = makeDecoder
        self.bell = bell
        self.needKeyframe = needKeyframe
    }

    /// Queues a frame from the event loop. Returns false if the decoder is too slow and all queued frames were dropped.
    func put(_ frame: ReceivedFrame) -> Bool { frames.put(frame) }

    /// Queues a part of a frame that is still being received.
    func put(_ part: ReceivedPart) { frames.put(part) }

    func takePictures() -> [DecodedFrame<Decoder.Picture>] { pictures.takeAll() }

    /// The decoder's human-readable name.
    var summary: String { summaryText.withLock { $0 } }

    /// The number of dropped frames and pictures by reason.
    var allDrops: [String: Int] {
        .sum([
            "decoder-too-slow": frames.overflowed, "window-too-slow": refused.load(ordering: .relaxed),
            "undecodable": failed.load(ordering: .relaxed), "picture-too-large": tooLarge.load(ordering: .relaxed),
        ])
    }

    /// The number of pictures dropped since the start. The first picture after a drop has to be drawn completely.
    var refusedPictures: Int { refused.load(ordering: .acquiring) }

    /// Returns the size of the first picture that was refused as too large, but only once; otherwise `nil`.
    func takeRefusedSize() -> PixelSize? {
        refusal.withLock { refusal in
            guard let size = refusal.size, !refusal.isTold else { return nil }
            refusal.isTold = true
            return size
        }
    }

    func close() { frames.close() }

    /// The decoding thread's body; returns after `close`.
    func run() {
        while let waiting = frames.takeAll() {
            for entry in waiting {
                switch entry {
                case .part(let part): begin(part)
                case .frame(let frame): decode(frame)
                }
            }
        }
    }

    /// Decodes a part of a frame, if the current decoder supports parts. Called on the decoding thread.
    private func begin(_ part: ReceivedPart) {
        guard !awaitsKeyframe, let decoder, decoder.codec == part.codec else { return }
        do { try decoder.begin(part) } catch { beginAnew(after: error, isKeyframe: false) }
    }

    /// Decodes one frame. Called on the decoding thread.
    func decode(_ frame: ReceivedFrame) {
        do {
            let current = try decoder(for: frame)
            guard let picture = try current.decode(frame) else { return }
            // A decoder may change between software and hardware at a keyframe.
            if frame.isKeyframe { summaryText.withLock { $0 = current.summary } }
            picturesSinceFailure += 1
            awaitsKeyframe = false
            var shown = frame
            // Only the frame's times are needed from here on.
            shown.annexB = []
            let decoded = DecodedFrame(
                picture: picture, frame: shown, decoded: MonotonicClock.now, byteCount: frame.annexB.count)
            switch pictures.put(decoded) {
            case .first, .queued: bell()
            case .full: refused.add(1, ordering: .releasing)
            }
        } catch {
            beginAnew(after: error, isKeyframe: frame.isKeyframe)
        }
    }

    /// Counts a frame that could not be decoded, and restarts at the next keyframe.
    private func beginAnew(after error: HelioError, isKeyframe: Bool) {
        if let size = decoder?.refusedSize {
            tooLarge.add(1, ordering: .relaxed)
            let isFirst = refusal.withLock { refusal in
                defer { if refusal.size == nil { refusal.size = size } }
                return refusal.size == nil
            }
            if isFirst { bell() }
            decoder?.reset()
        } else {
            failed.add(1, ordering: .relaxed)
            if !giveUpHardware(after: error, isKeyframe: isKeyframe) { decoder?.reset() }
        }
        awaitsKeyframe = true
        needKeyframe()
    }

    /// Replaces a hardware decoder that fails repeatedly. Returns true if a software decoder decodes from the next
    /// keyframe on.
    private func giveUpHardware(after error: HelioError, isKeyframe: Bool) -> Bool {
        guard let decoder, decoder.isHardware, !awaitsKeyframe || isKeyframe else { return false }
        hardwareFailures = picturesSinceFailure >= Self.provingPictures ? 1 : hardwareFailures + 1
        picturesSinceFailure = 0
        guard hardwareFailures >= Self.hardwareFailuresTolerated else { return false }
        isFallenBack = true
        self.decoder = nil
        notes.put("\(decoder.summary) failed (\(error.message)): software decodes from now on.")
        return true
    }

    private func decoder(for frame: ReceivedFrame) throws(HelioError) -> Decoder {
        if let decoder, decoder.codec == frame.codec { return decoder }
        let made: Decoder
        do {
            made = try makeDecoder(frame.codec, isFallenBack)
        } catch {
            made = try makeDecoder(frame.codec, true)
            isFallenBack = true
            notes.put("\(error.message): \(made.summary) decodes.")
        }
        summaryText.withLock { $0 = made.summary }
        decoder = made
        return made
    }
}
