import CX264
import HelioCore
import HelioGround
import Synchronization

/// Collects NAL units from x264's threads and emits them in decoding order, one at a time.
///
/// Parameter sets are emitted with the first slice; x264's SEI is dropped. With sliced threads, slices of a later part
/// of the picture are held back until the slices before them are emitted.
final class NALCollector: Sendable {
    struct Frame {
        var index: UInt64
        var isKeyframe: Bool
        var timing: FrameTiming
        /// The index of the picture's last macroblock: the slice that ends with it is the last one.
        var lastBlock: Int
        /// The NAL units to insert between the parameter sets and the slices, in Annex B form.
        var preface: [UInt8]
        /// The slices' `frame_num`: the number of pictures since the last keyframe, whether from x264 or `PatchCoder`.
        var frameNumber = 0
    }

    /// The callback that gets the slices. It is `Sendable` as it is called only under the lock, and never after `end`.
    private struct Sink: @unchecked Sendable {
        let emit: (EncodedSlice) -> Void
    }

    private struct State: ~Copyable {
        var frame: Frame?
        var sink: Sink?
        var head: [UInt8] = []
        var parameterSets: [UInt8] = []
        var nextBlock = 0
        var held: [(first: Int, last: Int, bytes: [UInt8])] = []
        var byteCount = 0
        var isFirst = true
    }

    /// The number of bytes beyond a NAL unit's end that x264 reads when it escapes the unit: with AVX2 it loads two
    /// vectors of 32 bytes, 64 bytes ahead of a position that may be the last byte.
    static let readAhead = 128
    /// The number of bytes beyond the escaped unit's end that x264 writes: two vectors of 32 bytes.
    static let writeAhead = 64

    private let state = Mutex(State())

    func begin(_ frame: Frame, emit: @escaping (EncodedSlice) -> Void) {
        let sink = Sink(emit: emit)
        state.withLock {
            $0.frame = frame
            $0.sink = sink
            $0.head.removeAll(keepingCapacity: true)
            $0.held.removeAll()
            $0.nextBlock = 0
            $0.byteCount = 0
            $0.isFirst = true
        }
    }

    /// The latest parameter sets that x264 has written, in Annex B form.
    var parameterSets: [UInt8] { state.withLock { $0.parameterSets } }

    /// Ends the frame; returns its size in bytes and whether all slices were emitted.
    func end() -> (byteCount: Int, isComplete: Bool) {
        state.withLock {
            let complete = $0.nextBlock == ($0.frame?.lastBlock ?? 0) + 1
            $0.frame = nil
            $0.sink = nil
            return ($0.byteCount, complete)
        }
    }

    /// Handles a NAL unit: x264's `nalu_process`, called on any of its threads.
    func take(_ encoder: OpaquePointer, _ nal: UnsafeMutablePointer<x264_nal_t>) {
        let type = Int(nal.pointee.i_type)
        if type == Int(NAL_SEI.rawValue) { return }
        let isSlice = (1...5).contains(type)
        let bytes = encoded(encoder, nal, isSlice: isSlice)
        let (first, last) = (Int(nal.pointee.i_first_mb), Int(nal.pointee.i_last_mb))
        state.withLock { s in
            if !isSlice {
                s.head += bytes
            } else if first == s.nextBlock {
                Self.send(&s, last, bytes)
                while let i = s.held.firstIndex(where: { $0.first == s.nextBlock }) {
                    let part = s.held.remove(at: i)
                    Self.send(&s, part.last, part.bytes)
                }
            } else {
                s.held.append((first, last, bytes))
            }
        }
    }

    private static func send(_ s: inout State, _ last: Int, _ bytes: [UInt8]) {
        guard let frame = s.frame, let sink = s.sink else { return }
        s.nextBlock = last + 1
        var slice = EncodedSlice(
            frameIndex: frame.index, annexB: bytes, isFirst: s.isFirst, isLast: last == frame.lastBlock,
            isKeyframe: frame.isKeyframe, timing: frame.timing)
        if s.isFirst, !s.head.isEmpty { s.parameterSets = s.head }
        if s.isFirst, !(s.head.isEmpty && frame.preface.isEmpty) { slice.annexB = s.head + frame.preface + bytes }
        if slice.isLast { slice.timing.encoded = MonotonicClock.now }
        s.isFirst = false
        s.byteCount += slice.annexB.count
        sink.emit(slice)
    }

    /// Returns the NAL unit in Annex B form, with `frame_num` replaced by the stream's wider one (`WideFrameNumber`).
    private func encoded(
        _ encoder: OpaquePointer, _ nal: UnsafeMutablePointer<x264_nal_t>, isSlice: Bool
    ) -> [UInt8] {
        var unit = nal.pointee
        guard let bytes = unit.p_payload else { return [] }
        let number = state.withLock { $0.frame?.frameNumber ?? 0 }
        let size = Int(unit.i_payload)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size + Self.readAhead) { payload in
            payload.initialize(repeating: 0)
            guard let own = payload.baseAddress else { return [] }
            own.update(from: bytes, count: size)
            var field = WideFrameNumber(payload: own, size: size)
            if isSlice { field.write(number) } else if unit.i_type == NAL_SPS.rawValue { field.announce() }
            unit.p_payload = own
            unit.i_payload = Int32(field.size)
            return [UInt8](unsafeUninitializedCapacity: field.size * 3 / 2 + 5 + Self.writeAhead) { buffer, count in
                x264_nal_encode(encoder, buffer.baseAddress, &unit)
                count = Int(unit.i_payload)
            }
        }
    }
}
