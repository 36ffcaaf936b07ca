import HelioCore

/// Emulation prevention: the byte 3 that is inserted into `00 00 03`, so that a NAL unit contains no start code (H.264
/// section 7.4.1, H.265 section 7.4.2).
package enum EmulationPrevention {
    /// Appends a NAL unit's bytes from an offset on, without emulation prevention.
    ///
    /// - Parameter most: the maximum number of bytes to append.
    /// - Returns: the offset after the last byte that was read.
    @discardableResult
    package static func remove(
        from nal: RawSpan, at start: Int, most: Int = .max, to payload: inout [UInt8]
    ) -> Int {
        nal.withUnsafeBytes { bytes in
            var (offset, zeros, left) = (start, 0, most)
            while left > 0, offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                if zeros >= 2, byte == 3 {
                    zeros = 0
                    continue
                }
                zeros = byte == 0 ? zeros + 1 : 0
                payload.append(byte)
                left -= 1
            }
            return offset
        }
    }

    /// Appends a payload, with emulation prevention.
    package static func add(to payload: [UInt8], into nal: inout [UInt8]) {
        var zeros = 0
        for byte in payload {
            if zeros == 2, byte <= 3 {
                nal.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            nal.append(byte)
        }
    }
}
