internal import CoreMedia
internal import HelioAppleMedia
internal import HelioCore

extension DecompressionFormat {
    /// Makes the format description of the parameter sets, for 4-byte length prefixes (requirement row 42); `nil` if
    /// Core Media refuses them.
    func makeDescription() -> CMVideoFormatDescription? {
        let bytes = parameterSets.flatMap { $0 }
        let sizes = parameterSets.map(\.count)
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var offset = 0
            let pointers = sizes.map { size in
                defer { offset += size }
                return base + offset
            }
            return create(pointers, sizes)
        }
    }

    private func create(_ pointers: [UnsafePointer<UInt8>], _ sizes: [Int]) -> CMVideoFormatDescription? {
        var description: CMFormatDescription?
        let length = Int32(Self.lengthSize)
        switch codec {
        case .h264:
            _ = CMVideoFormatDescriptionCreateFromH264ParameterSets(
                allocator: kCFAllocatorDefault, parameterSetCount: sizes.count, parameterSetPointers: pointers,
                parameterSetSizes: sizes, nalUnitHeaderLength: length, formatDescriptionOut: &description)
        case .h265:
            _ = CMVideoFormatDescriptionCreateFromHEVCParameterSets(
                allocator: kCFAllocatorDefault, parameterSetCount: sizes.count, parameterSetPointers: pointers,
                parameterSetSizes: sizes, nalUnitHeaderLength: length, extensions: nil,
                formatDescriptionOut: &description)
        }
        return description
    }
}
