/// The planes of a decoded picture that `PatchDecoder` writes into: 8 bits a sample, three planes, each padded to whole
/// macroblocks.
package struct PatchPlanes {
    package let luma: UnsafeMutablePointer<UInt8>
    package let cb: UnsafeMutablePointer<UInt8>
    package let cr: UnsafeMutablePointer<UInt8>
    /// The bytes from line to line.
    package let lumaStride: Int
    package let chromaStride: Int

    package init(
        luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>,
        lumaStride: Int, chromaStride: Int
    ) {
        self.luma = luma
        self.cb = cb
        self.cr = cr
        self.lumaStride = lumaStride
        self.chromaStride = chromaStride
    }
}
