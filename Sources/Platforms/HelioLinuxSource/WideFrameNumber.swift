/// Widens x264's `frame_num` from 4 bits to 12, in NAL units without emulation prevention bytes (ITU-T H.264 section
/// 7.3).
///
/// `PatchCoder` inserts pictures between those of x264, so x264's own number is wrong. And a viewer that has lost
/// pictures continues with a later one: 4 bits are too few to count the missing pictures, and if the number wraps
/// around within the gap, FFmpeg takes the next picture for an earlier one and does not show it.
struct WideFrameNumber {
    static let bits = 12
    private static let bitsOfX264 = 4

    private let payload: UnsafeMutablePointer<UInt8>
    /// The payload's size in bytes.
    private(set) var size: Int
    private var at = 0

    /// - Parameter payload: a NAL unit without its header byte, with space for two more bytes.
    init(payload: UnsafeMutablePointer<UInt8>, size: Int) {
        self.payload = payload
        self.size = size
    }

    /// Replaces `frame_num` in a slice header, which follows three `ue(v)` (section 7.3.3).
    mutating func write(_ number: Int) {
        at = 0
        for _ in 0..<3 { _ = unsigned() }
        guard at + Self.bitsOfX264 <= size * 8 else { return }
        // The field grows by 8 bits, exactly a byte, so the bytes after it only move.
        let byte = at >> 3
        for i in stride(from: size - 1, through: byte, by: -1) { payload[i + 1] = payload[i] }
        size += 1
        for i in 0..<Self.bits { set(at + i, number >> (Self.bits - 1 - i) & 1) }
    }

    /// Sets `log2_max_frame_num_minus4` in a sequence parameter set to the wider field (section 7.3.2.1.1).
    mutating func announce() {
        let profile = payload[0]
        at = 24
        _ = unsigned()
        if profile >= 100 {
            if unsigned() == 3 { at += 1 }
            _ = unsigned()
            _ = unsigned()
            at += 2
        }
        // log2_max_frame_num_minus4: ue(0) is one bit, ue(8) seven.
        let start = at
        guard unsigned() == 0, at < size * 8 else { return }
        let old = (at..<size * 8).map { bit($0) }
        guard let end = old.lastIndex(of: 1) else { return }
        let new = [0, 0, 0, 1, 0, 0, 1] + old[...end]
        size = (start + new.count + 7) / 8
        for i in start..<size * 8 { set(i, i - start < new.count ? new[i - start] : 0) }
    }

    private func bit(_ at: Int) -> Int { Int(payload[at >> 3] >> UInt8(7 - at & 7) & 1) }

    private func set(_ at: Int, _ bit: Int) {
        let mask = UInt8(1) << UInt8(7 - at & 7)
        if bit == 1 { payload[at >> 3] |= mask } else { payload[at >> 3] &= ~mask }
    }

    /// Reads `ue(v)`.
    private mutating func unsigned() -> Int {
        let end = size * 8
        var zeros = 0
        while at < end, bit(at) == 0 {
            zeros += 1
            at += 1
        }
        var value = 0
        for _ in 0...zeros where at < end {
            value = value << 1 | bit(at)
            at += 1
        }
        return value - 1
    }
}
