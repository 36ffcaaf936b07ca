/// Opus packets of silence: stereo, full band, with the silence flag set (RFC 6716 sections 3.1 and 4.3).
enum OpusSilence {
    /// Calls `body` with the payload and the length, in sample frames, of each packet; `length` is a multiple of 2.5 ms
    /// (120 frames).
    static func forEachPacket(of length: Int64, _ body: ([UInt8], Int64) -> Void) {
        var left = length
        // Configurations 31, 29 and 28 of table 2 of RFC 6716: 20, 5 and 2.5 ms.
        for (head, frames) in [(UInt8(31 << 3 | 4), Int64(960)), (29 << 3 | 4, 240), (28 << 3 | 4, 120)] {
            while left >= frames {
                body([head, 0xFF, 0xFE], frames)
                left -= frames
            }
        }
    }
}
