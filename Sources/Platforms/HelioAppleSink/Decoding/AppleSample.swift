internal import CoreMedia

/// Makes sample buffers that own their bytes (requirements, defect 6). It is only type-checked; no test runs it.
enum AppleSample {
    /// Makes a sample with a copy of these bytes; `nil` if memory can't be allocated.
    static func make(_ bytes: [UInt8], _ description: CMVideoFormatDescription) -> CMSampleBuffer? {
        guard let block = block(of: bytes) else { return nil }
        var size = bytes.count
        var sample: CMSampleBuffer?
        let status = CMSampleBufferCreateReady(
            allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: description, sampleCount: 1,
            sampleTimingEntryCount: 0, sampleTimingArray: nil, sampleSizeEntryCount: 1, sampleSizeArray: &size,
            sampleBufferOut: &sample)
        return status == noErr ? sample : nil
    }

    /// Makes a block buffer with its own memory and a copy of the bytes.
    private static func block(of bytes: [UInt8]) -> CMBlockBuffer? {
        var block: CMBlockBuffer?
        let made = CMBlockBufferCreateWithMemoryBlock(
            allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: bytes.count,
            blockAllocator: kCFAllocatorDefault, customBlockSource: nil, offsetToData: 0, dataLength: bytes.count,
            flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
        guard made == kCMBlockBufferNoErr, let block else { return nil }
        let copied = bytes.withUnsafeBytes { raw in
            raw.baseAddress.map {
                CMBlockBufferReplaceDataBytes(
                    with: $0, blockBuffer: block, offsetIntoDestination: 0, dataLength: raw.count)
            }
        }
        return copied == kCMBlockBufferNoErr ? block : nil
    }
}
