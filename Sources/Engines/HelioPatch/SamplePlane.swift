/// A plane of one kind of samples, or of Cb and Cr by turns, of a picture in macroblocks: 16 bytes wide each.
struct SamplePlane {
    let bytes: UnsafeMutablePointer<UInt8>
    /// The bytes from line to line.
    let stride: Int
    /// The lines of a macroblock.
    let lines: Int
}
