import CoreMedia
import HelioCore

/// A parameter set in the memory of a format description, which must outlive this value.
struct CodedParameterSet {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The number of parameter sets in the format description.
    let count: Int
    /// The size of the length prefix of each NAL unit, in bytes.
    let lengthSize: Int

    /// Fails if the description has no parameter set with this index.
    init?(_ format: CMFormatDescription, codec: VideoCodec, index: Int) {
        var start: UnsafePointer<UInt8>?
        var (size, count) = (0, 0)
        var lengthSize: Int32 = 0
        let read =
            codec == .h264
            ? CMVideoFormatDescriptionGetH264ParameterSetAtIndex : CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
        guard read(format, index, &start, &size, &count, &lengthSize) == noErr, let start else { return nil }
        bytes = UnsafeBufferPointer(start: start, count: size)
        self.count = count
        self.lengthSize = Int(lengthSize)
    }
}
