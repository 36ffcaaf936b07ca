import CX264
import Glibc
import HelioCore
import Synchronization

/// Encodes a keyframe by x264 on a thread of its own, while `PatchCoder` encodes pictures that refer to the previous
/// reconstruction.
///
/// x264 first copies the picture, and then frees the quantiser offsets by `quant_offsets_free`; without adaptive
/// quantisation it does not use them. So once that callback has run, the picture may be drawn into again. A keyframe
/// refers to no other picture: x264 writes a new reconstruction and leaves the previous one unchanged. Between the
/// thread's start and its end, x264 must not be called for anything else.
final class KeyframeThread: @unchecked Sendable {
    /// The complete keyframe: its slices in order, x264's output picture, and its size in bytes.
    struct Keyframe {
        var slices: [EncodedSlice] = []
        var output = x264_picture_t()
        var byteCount = 0
    }

    let qp: Int
    private let encoder: OpaquePointer
    private let collector: NALCollector
    private let gate: ReconstructionGate
    private let wake: @Sendable () -> Void
    private let slices = Mutex<[EncodedSlice]>([])
    /// The picture, kept alive while x264 may read it.
    private let picture: PlanarPicture
    private let isCopied: UnsafeMutablePointer<sem_t>
    private let hasEnded = Atomic(false)
    private var thread: pthread_t?
    private var input: x264_picture_t
    private var output = x264_picture_t()
    private var result: (byteCount: Int, isComplete: Bool) = (0, false)

    /// - Parameters:
    ///   - input: `picture` as x264's structure, with the map that `gate` lent.
    ///   - wake: called on the thread as its last action.
    init(
        _ encoder: OpaquePointer, _ collector: NALCollector, _ gate: ReconstructionGate, of picture: PlanarPicture,
        input: x264_picture_t, qp: Int, wake: @escaping @Sendable () -> Void
    ) {
        self.encoder = encoder
        self.collector = collector
        self.gate = gate
        self.picture = picture
        self.input = input
        self.qp = qp
        self.wake = wake
        isCopied = .allocate(capacity: 1)
        sem_init(isCopied, 0, 0)
    }

    deinit {
        sem_destroy(isCopied)
        isCopied.deallocate()
    }

    /// True once the thread has finished, so that `end` returns without waiting.
    var isComplete: Bool { hasEnded.load(ordering: .acquiring) }

    /// Starts the thread. Until x264 has copied the picture, drawing into it blocks (`PlanarPicture.awaitReader`).
    ///
    /// - Returns: false if the thread can't be created.
    func start(_ frame: NALCollector.Frame) -> Bool {
        input.prop.quant_offsets = UnsafeMutableRawPointer(isCopied).assumingMemoryBound(to: Float.self)
        input.prop.quant_offsets_free = { offsets in
            if let offsets { sem_post(offsets.assumingMemoryBound(to: sem_t.self)) }
        }
        collector.begin(frame) { [self] in keep($0) }
        let argument = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { KeyframeThread.enter($0) }, argument) == 0 else {
            Unmanaged<KeyframeThread>.fromOpaque(argument).release()
            _ = collector.end()
            return false
        }
        self.thread = thread
        picture.awaitReader = { [weak self] in self?.waitForCopy() }
        return true
    }

    private func waitForCopy() { while sem_wait(isCopied) != 0, errno == EINTR {} }

    /// Joins the thread and returns the keyframe; `nil` if x264 has failed. To be called once: a second call returns
    /// `nil`.
    func end() -> Keyframe? {
        guard let thread else { return nil }
        pthread_join(thread, nil)
        self.thread = nil
        guard result.isComplete else { return nil }
        return Keyframe(slices: slices.withLock { $0 }, output: output, byteCount: result.byteCount)
    }

    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        Unmanaged<KeyframeThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    private func run() {
        var nals: UnsafeMutablePointer<x264_nal_t>?
        var nalCount: Int32 = 0
        let code = x264_encoder_encode(encoder, &nals, &nalCount, &input, &output)
        result = collector.end()
        if code < 0 { result.isComplete = false }
        if result.isComplete { gate.wait() }
        // x264 does not call `quant_offsets_free` if it fails before it copies the picture, so signal here, too.
        sem_post(isCopied)
        hasEnded.store(true, ordering: .releasing)
        wake()
    }

    private func keep(_ slice: EncodedSlice) { slices.withLock { $0.append(slice) } }
}
