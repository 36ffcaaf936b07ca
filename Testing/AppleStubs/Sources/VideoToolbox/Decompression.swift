public import AppleBase
public import CoreMedia
public import CoreVideo

public class VTDecompressionSession {}

public struct VTDecodeFrameFlags: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var _EnableAsynchronousDecompression: VTDecodeFrameFlags { VTDecodeFrameFlags(rawValue: 1 << 0) }
    public static var _DoNotOutputFrame: VTDecodeFrameFlags { VTDecodeFrameFlags(rawValue: 1 << 1) }
    public static var _1xRealTimePlayback: VTDecodeFrameFlags { VTDecodeFrameFlags(rawValue: 1 << 2) }
    public static var _EnableTemporalProcessing: VTDecodeFrameFlags { VTDecodeFrameFlags(rawValue: 1 << 3) }
}

public struct VTDecodeInfoFlags: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var asynchronous: VTDecodeInfoFlags { VTDecodeInfoFlags(rawValue: 1 << 0) }
    public static var frameDropped: VTDecodeInfoFlags { VTDecodeInfoFlags(rawValue: 1 << 1) }
}

public struct VTDecompressionOutputCallbackRecord {}
/// A callback on any thread. Unlike in Apple's SDK it is `Sendable`, so that the checked code must allow for that.
public typealias VTDecompressionOutputHandler =
    @Sendable (OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime, CMTime) -> Void

public func VTDecompressionSessionCreate(
    allocator: CFAllocator?, formatDescription videoFormatDescription: CMVideoFormatDescription,
    decoderSpecification videoDecoderSpecification: CFDictionary?,
    imageBufferAttributes destinationImageBufferAttributes: CFDictionary?,
    outputCallback: UnsafePointer<VTDecompressionOutputCallbackRecord>?,
    decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
) -> OSStatus { stub() }

public func VTDecompressionSessionCanAcceptFormatDescription(
    _ session: VTDecompressionSession, formatDescription newFormatDesc: CMFormatDescription
) -> Bool { stub() }

public func VTDecompressionSessionDecodeFrame(
    _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer, flags decodeFlags: VTDecodeFrameFlags,
    infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?, outputHandler: @escaping VTDecompressionOutputHandler
) -> OSStatus { stub() }

public func VTDecompressionSessionInvalidate(_ session: VTDecompressionSession) { stub() }
public func VTIsHardwareDecodeSupported(_ codecType: CMVideoCodecType) -> Bool { stub() }

public var kVTDecompressionPropertyKey_RealTime: CFString { stub() }
public var kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder: CFString { stub() }
public var kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: CFString { stub() }
