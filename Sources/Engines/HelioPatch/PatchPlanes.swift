/// The planes of a decoded picture that `PatchDecoder` writes into: three planes with 8 bits per sample, each padded to
/// whole macroblocks.
package struct PatchPlanes {
    package let luma: UnsafeMutablePointer<UInt8>
    package let cb: UnsafeMutablePointer<UInt8>
    package let cr: UnsafeMutablePointer<UInt8>
    /// The bytes from one line of luma to the next.
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
