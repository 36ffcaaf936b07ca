import HelioCore

/// Reads and rewrites the `frame_num` of coded slices (ITU-T H.264 section 7.3.3).
package struct SliceNumber {
    /// The number of bytes of a slice that are parsed for its `frame_num`; three `ue(v)` and the number take fewer.
    private static let headBytes = 24

    /// The bits of `frame_num`: `log2_max_frame_num_minus4` of the SPS plus 4.
    private let bits: Int

    package init(bits: Int) { self.bits = bits }

    private var modulus: Int { 1 << bits }

    /// The `frame_num` that follows another.
    package func following(_ number: Int) -> Int { (number + 1) % modulus }

    /// The `frame_num` that precedes another by `less`.
    package func number(_ number: Int, less: Int) -> Int { ((number - less) % modulus + modulus) % modulus }

    /// The number of pictures that are missing between one with `last` and one with `number`.
    package func missing(between last: Int, and number: Int) -> Int { self.number(number, less: following(last)) }

    /// Reads the `frame_num` of a slice's NAL unit, which includes its header. Returns `nil` if the NAL unit is not a
    /// slice, or is truncated.
    package func read(_ nal: RawSpan) -> Int? {
        guard let header = nal.uint8(at: 0), header & 0x1F == 1 || header & 0x1F == 5 else { return nil }
        return read(nal, header: 1)
    }

    /// Reads the `frame_num` of a slice without its NAL unit's header bytes, of which `header` are in front of it.
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

    /// Appends the first bytes of a slice, which begins at an offset behind its header, with `frame_num` reduced by
    /// `less`: up to two bytes more or less than they are, by emulation prevention.
    ///
    /// - Returns: the offset of the bytes that follow, which stay as they are; `nil`, with nothing appended, if the
    ///   number can't be parsed.
    package func append(headOf nal: RawSpan, from start: Int, less: Int, to out: inout [UInt8]) -> Int? {
        // Without emulation prevention.
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
        // The last bytes of `head` are unchanged, so the emulation prevention of the bytes after it is still correct.
        return offset
    }
}
