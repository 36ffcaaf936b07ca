public import AppleBase
public import CoreVideo

public class CMSampleBuffer {}
public typealias CMItemCount = Int

public struct CMSampleTimingInfo: Sendable {
    public var duration: CMTime
    public var presentationTimeStamp: CMTime
    public var decodeTimeStamp: CMTime
    public init() { stub() }
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) { stub() }
}

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { stub() }
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { stub() }
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? { stub() }
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { stub() }
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { stub() }
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { stub() }
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { stub() }
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { stub() }
public func CMSampleBufferGetSampleAttachmentsArray(
    _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? { stub() }

public var kCMSampleAttachmentKey_NotSync: CFString { stub() }

public func CMSampleBufferCreateReady(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
    sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus { stub() }
