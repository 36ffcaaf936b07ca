import HelioBitstream
import HelioCore

/// Reads and rewrites the `frame_num` of coded slices (ITU-T H.264 section 7.3.3).
package struct SliceNumber {
    /// The number of bytes of a slice that are parsed for its `frame_num`; three `ue(v)` and the number take fewer.
    private static let headBytes = 24

    private let syntax: PatchSyntax

    package init(_ syntax: PatchSyntax) { self.syntax = syntax }

    private var modulus: Int { 1 << syntax.frameNumberBits }

    /// The `frame_num` that follows another.
    package func following(_ number: Int) -> Int { (number + 1) % modulus }

    /// The `frame_num` that precedes another by `less`.
    package func number(_ number: Int, less: Int) -> Int { ((number - less) % modulus + modulus) % modulus }

    /// Reads the `frame_num` of a slice's NAL unit, which includes its header. Returns `nil` if the NAL unit is not a
    /// slice, or is truncated.
    package func read(_ nal: RawSpan) -> Int? {
        guard let header = nal.uint8(at: 0), header & 0x1F == 1 || header & 0x1F == 5 else { return nil }
        var bits = BitReader(nal: nal, header: 1, limit: 2 * Self.headBytes)
        do {
            for _ in 0..<3 { _ = try bits.unsigned() }
            return Int(try bits.bits(syntax.frameNumberBits))
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
        // The slice's first bytes without emulation prevention, and the offset in `nal` at which they end.
        var head: [UInt8] = []
        let offset = EmulationPrevention.remove(from: nal, at: 1, most: Self.headBytes, to: &head)
        var bits = BitReader(head)
        let at: Int
        let old: Int
        do {
            for _ in 0..<3 { _ = try bits.unsigned() }
            at = bits.position
            old = Int(try bits.bits(syntax.frameNumberBits))
        } catch { return false }
        let new = number(old, less: less)
        for i in 0..<syntax.frameNumberBits {
            let mask = UInt8(0x80) >> UInt8((at + i) & 7)
            let isSet = new >> (syntax.frameNumberBits - 1 - i) & 1 == 1
            if isSet { head[(at + i) >> 3] |= mask } else { head[(at + i) >> 3] &= ~mask }
        }
        out.append(header)
        EmulationPrevention.add(to: head, into: &out)
        // The last bytes of `head` are unchanged, so the emulation prevention of the bytes after it is still correct.
        nal.extracting(offset..<nal.byteCount).withUnsafeBytes { out.append(contentsOf: $0) }
        return true
    }
}
