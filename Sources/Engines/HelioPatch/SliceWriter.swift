/// Writes the bits of a slice into a buffer of fixed capacity. Writes are not checked: the owner chooses a sufficient
/// capacity.
///
/// The buffer holds the RBSP; `annexB` adds start code, header and emulation prevention.
struct SliceWriter: ~Copyable {
    private let bytes: UnsafeMutablePointer<UInt8>
    let capacity: Int
    private var count = 0
    private var pending: UInt64 = 0
    private var pendingBits = 0

    init(capacity: Int) {
        self.capacity = capacity
        bytes = .allocate(capacity: capacity + 16)
    }

    deinit { bytes.deallocate() }

    /// The number of complete bytes written.
    var byteCount: Int { count }

    mutating func reset() {
        count = 0
        pending = 0
        pendingBits = 0
    }

    /// Begins a slice of a P picture, with its header (section 7.3.3).
    ///
    /// - Parameters:
    ///   - firstBlock: the value of `first_mb_in_slice`.
    ///   - frameNumber: the full `frame_num`, before truncation to its bits.
    mutating func begin(_ syntax: PatchSyntax, firstBlock: Int, frameNumber: Int, qp: Int) {
        reset()
        unsigned(firstBlock)
        unsigned(5)  // slice_type: P, for all slices of the picture
        unsigned(syntax.parameterSet)
        put(UInt32(frameNumber & ((1 << syntax.frameNumberBits) - 1)), syntax.frameNumberBits)
        put(0, 1)  // num_ref_idx_active_override_flag
        put(0, 1)  // ref_pic_list_modification_flag_l0
        put(0, 1)  // adaptive_ref_pic_marking_mode_flag
        signed(qp - syntax.initialQP)
        unsigned(1)  // disable_deblocking_filter_idc
    }

    /// Writes `u(length)`, with a length of at most 32 bits.
    @inline(__always)
    mutating func put(_ value: UInt32, _ length: Int) {
        pending = pending << UInt64(length) | UInt64(value)
        pendingBits &+= length
        while pendingBits >= 8 {
            pendingBits &-= 8
            bytes[count] = UInt8(truncatingIfNeeded: pending >> UInt64(pendingBits))
            count &+= 1
        }
    }

    @inline(__always)
    mutating func put(_ code: CAVLCTables.Code) {
        put(UInt32(code.bits), Int(code.length))
    }

    /// Writes `ue(v)`.
    mutating func unsigned(_ value: Int) {
        let code = UInt32(value + 1)
        let length = 32 - code.leadingZeroBitCount
        put(0, length - 1)
        put(code, length)
    }

    /// Writes `se(v)`.
    mutating func signed(_ value: Int) {
        unsigned(value > 0 ? value * 2 - 1 : -value * 2)
    }

    /// Ends the slice, and returns it as a NAL unit after a start code of 4 bytes.
    ///
    /// - Parameter header: the byte of the NAL unit's header.
    mutating func annexB(header: UInt8) -> [UInt8] {
        put(1, 1)
        if pendingBits > 0 { put(0, 8 - pendingBits) }
        let total = count
        let source = bytes
        return [UInt8](unsafeUninitializedCapacity: 5 + total * 3 / 2 + 1) { out, size in
            guard let to = out.baseAddress else { return }
            to[0] = 0
            to[1] = 0
            to[2] = 0
            to[3] = 1
            to[4] = header
            var at = 5
            var zeros = 0
            for i in 0..<total {
                let byte = source[i]
                if zeros == 2, byte <= 3 {
                    to[at] = 3
                    at &+= 1
                    zeros = 0
                }
                zeros = byte == 0 ? zeros &+ 1 : 0
                to[at] = byte
                at &+= 1
            }
            size = at
        }
    }

    /// Writes `residual_block_cavlc` (section 9.2): `count` levels in scan order.
    ///
    /// - Parameters:
    ///   - token: the table of `coeff_token` codes for this block's nC.
    ///   - zeros: the table of `total_zeros` codes, with `zeroStride` codes for each number of levels.
    @inline(__always)
    mutating func residual(
        _ levels: UnsafePointer<Int32>, count: Int, token: UnsafeMutablePointer<CAVLCTables.Code>,
        zeros zeroCodes: UnsafeMutablePointer<CAVLCTables.Code>, zeroStride: Int, _ tables: CAVLCTables
    ) {
        var mask: UInt32 = 0
        for i in 0..<count where levels[i] != 0 { mask |= 1 << UInt32(i) }
        let total = mask.nonzeroBitCount
        if total == 0 {
            put(token[0])
            return
        }
        let last = 31 - mask.leadingZeroBitCount
        // Count the trailing ones: up to three levels of 1 or -1 at the end of the scan.
        var ones = 0
        var signs: UInt32 = 0
        var rest = mask
        while ones < 3, rest != 0 {
            let i = 31 &- rest.leadingZeroBitCount
            let level = levels[i]
            guard level == 1 || level == -1 else { break }
            signs = signs << 1 | (level < 0 ? 1 : 0)
            ones &+= 1
            rest &= ~(1 << UInt32(i))
        }
        put(token[total &* 4 &+ ones])
        if ones > 0 { put(signs, ones) }

        var suffix = total > 10 && ones < 3 ? 1 : 0
        var isFirst = true
        while rest != 0 {
            let i = 31 &- rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(i))
            let level = Int(levels[i])
            var code = level > 0 ? level &* 2 &- 2 : -level &* 2 &- 1
            if isFirst, ones < 3 { code &-= 2 }
            isFirst = false
            if suffix == 0 {
                if code < 14 {
                    put(1, code &+ 1)
                } else if code < 30 {
                    put(1, 15)
                    put(UInt32(code &- 14), 4)
                } else {
                    put(1, 16)
                    put(UInt32(min(code &- 30, 4095)), 12)
                }
                suffix = 1
            } else if code < 15 << suffix {
                put(1, (code >> suffix) &+ 1)
                put(UInt32(code & ((1 << suffix) &- 1)), suffix)
            } else {
                put(1, 16)
                put(UInt32(min(code &- 15 << suffix, 4095)), 12)
            }
            if abs(level) > 3 << (suffix &- 1), suffix < 6 { suffix &+= 1 }
        }

        var zerosLeft = last &+ 1 &- total
        if total < count { put(zeroCodes[total &* zeroStride &+ zerosLeft]) }
        rest = mask
        while zerosLeft > 0 {
            let i = 31 &- rest.leadingZeroBitCount
            rest &= ~(1 << UInt32(i))
            if rest == 0 { break }
            let run = i &- 1 &- (31 &- rest.leadingZeroBitCount)
            put(tables.runBefore[min(zerosLeft, 7) &* 16 &+ run])
            zerosLeft &-= run
        }
    }
}
