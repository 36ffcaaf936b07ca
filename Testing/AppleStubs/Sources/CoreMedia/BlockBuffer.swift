public import AppleBase

public class CMBlockBuffer {}
public typealias CMBlockBufferFlags = UInt32

public var kCMBlockBufferNoErr: OSStatus { 0 }
public var kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags { 1 }
public var kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags { 2 }

public struct CMBlockBufferCustomBlockSource {}

public func CMBlockBufferCreateWithMemoryBlock(
    allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus { stub() }

public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
    dataLength: Int
) -> OSStatus { stub() }

public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus { stub() }

public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { stub() }

public func CMBlockBufferGetDataPointer(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
    totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus { stub() }
