import HelioCore

/// Reads and rewrites the `frame_num` of coded slices (ITU-T H.264 section 7.3.3).
package struct SliceNumber {
    /// The number of bytes at the start of a slice, without emulation prevention, that are sure to contain its
    /// `frame_num`: three `ue(v)` fields and `frame_num` have fewer.
    private static let headBytes = 24

    /// The number of bits of `frame_num`: `log2_max_frame_num_minus4` of the SPS plus 4.
    private let bits: Int

    package init(bits: Int) { self.bits = bits }

    private var modulus: Int { 1 << bits }

    /// Returns the `frame_num` that follows `number`, modulo 2^`bits`.
    package func following(_ number: Int) -> Int { (number + 1) % modulus }

    /// Returns the `frame_num` that is `less` steps before `number`, modulo 2^`bits`.
    package func number(_ number: Int, less: Int) -> Int { ((number - less) % modulus + modulus) % modulus }

    /// Returns the number of pictures missing between two received pictures, whose `frame_num` are `last` and `number`.
    package func missing(between last: Int, and number: Int) -> Int { self.number(number, less: following(last)) }

    /// Reads the `frame_num` of a slice's NAL unit, which includes its header. Returns `nil` if the NAL unit is not a
    /// slice, or is truncated.
    package func read(_ nal: RawSpan) -> Int? {
        guard let header = nal.uint8(at: 0), header & 0x1F == 1 || header & 0x1F == 5 else { return nil }
        return read(nal, header: 1)
    }

    /// Reads the `frame_num` of a slice that begins in `nal` after a NAL unit header of `header` bytes, 0 or 1. Returns
    /// `nil` if the slice is truncated.
    package func read(_ nal: RawSpan, header: Int) -> Int? {
        var reader = BitReader(nal: nal, header: header, limit: 2 * Self.headBytes)
        do {
            for _ in 0..<3 { _ = try reader.unsigned() }
            return Int(try reader.bits(bits))
        } catch { return nil }
    }

    /// Appends an Annex-B access unit with each slice's `frame_num` reduced by `less`.
    ///
    /// - Returns: false if a slice's `frame_num` can't be parsed; the appended bytes are then unusable.
    package func append(_ annexB: RawSpan, less: Int, to out: inout [UInt8]) -> Bool {
        var cursor = AnnexB.Cursor()
        out.reserveCapacity(out.count + annexB.byteCount + 64)
        while let range = cursor.next(in: annexB) {
            let nal = annexB.extracting(range)
            out.append(contentsOf: AnnexB.startCode)
            guard let header = nal.uint8(at: 0) else { return false }
            if header & 0x1F == 1 || header & 0x1F == 5 {
                guard rewrite(nal, header, less: less, to: &out) else { return false }
            } else {
                nal.withUnsafeBytes { out.append(contentsOf: $0) }
            }
        }
        return true
    }

    private func rewrite(_ nal: RawSpan, _ header: UInt8, less: Int, to out: inout [UInt8]) -> Bool {
        out.append(header)
        guard let offset = append(headOf: nal, from: 1, less: less, to: &out) else { return false }
        nal.extracting(offset..<nal.byteCount).withUnsafeBytes { out.append(contentsOf: $0) }
        return true
    }

    /// Appends the first bytes of a slice with `frame_num` reduced by `less`. The slice begins in `nal` at the offset
    /// `start`, after the NAL unit header. Changes in emulation prevention may make the bytes up to two bytes longer or
    /// shorter.
    ///
    /// - Returns: the offset of the slice's remaining bytes, which need no change; `nil`, with nothing appended, if
    ///   `frame_num` can't be parsed.
    package func append(headOf nal: RawSpan, from start: Int, less: Int, to out: inout [UInt8]) -> Int? {
        // The first bytes without emulation prevention.
        var head: [UInt8] = []
        let offset = EmulationPrevention.remove(from: nal, at: start, most: Self.headBytes, to: &head)
        var reader = BitReader(head)
        let at: Int
        let old: Int
        do {
            for _ in 0..<3 { _ = try reader.unsigned() }
            at = reader.position
            old = Int(try reader.bits(bits))
        } catch { return nil }
        let new = number(old, less: less)
        for i in 0..<bits {
            let mask = UInt8(0x80) >> UInt8((at + i) & 7)
            let isSet = new >> (bits - 1 - i) & 1 == 1
            if isSet { head[(at + i) >> 3] |= mask } else { head[(at + i) >> 3] &= ~mask }
        }
        EmulationPrevention.add(to: head, into: &out)
        // The last bytes of `head` are unchanged, so the emulation prevention of the remaining bytes is still correct.
        return offset
    }
}
