import CoreMedia
import HelioAppleMedia
import HelioCore

extension CodedSample {
    /// Reads a sample's parameter sets and its memory blocks, without making them contiguous first (requirement row
    /// 143).
    init(_ sample: CMSampleBuffer, codec: VideoCodec) {
        let format = CMSampleBufferGetFormatDescription(sample)
        let block = CMSampleBufferGetDataBuffer(sample)
        let first = format.flatMap { CodedParameterSet($0, codec: codec, index: 0) }
        let byteCount = block.map { CMBlockBufferGetDataLength($0) } ?? 0
        self.init(lengthSize: first?.lengthSize ?? 0, byteCount: byteCount)
        for index in 0..<(first?.count ?? 0) {
            addParameterSet(format.flatMap { CodedParameterSet($0, codec: codec, index: index) })
        }
        if let block { addBlocks(block, byteCount: byteCount) }
    }

    private mutating func addParameterSet(_ set: CodedParameterSet?) {
        guard let set else { return fail() }
        addParameterSet(set.bytes.span.bytes)
    }

    private mutating func addBlocks(_ block: CMBlockBuffer, byteCount: Int) {
        var offset = 0
        while offset < byteCount {
            var length = 0
            var start: UnsafeMutablePointer<CChar>?
            let status = CMBlockBufferGetDataPointer(
                block, atOffset: offset, lengthAtOffsetOut: &length, totalLengthOut: nil, dataPointerOut: &start)
            guard status == kCMBlockBufferNoErr, let start, length > 0 else { return fail() }
            add(UnsafeRawBufferPointer(start: start, count: length).bytes)
            offset += length
        }
    }
}
