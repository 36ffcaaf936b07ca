public import AppleBase
public import CoreMedia
public import CoreVideo

public class VTCompressionSession {}

public struct VTEncodeInfoFlags: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var asynchronous: VTEncodeInfoFlags { VTEncodeInfoFlags(rawValue: 1 << 0) }
    public static var frameDropped: VTEncodeInfoFlags { VTEncodeInfoFlags(rawValue: 1 << 1) }
}

/// Apple's SDK uses a C function pointer.
public typealias VTCompressionOutputCallback =
    (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTEncodeInfoFlags, CMSampleBuffer?) -> Void
/// A callback on any thread. Unlike in Apple's SDK it is `Sendable`, so that the checked code must allow for that.
public typealias VTCompressionOutputHandler = @Sendable (OSStatus, VTEncodeInfoFlags, CMSampleBuffer?) -> Void

public func VTCompressionSessionCreate(
    allocator: CFAllocator?, width: Int32, height: Int32, codecType: CMVideoCodecType,
    encoderSpecification: CFDictionary?, imageBufferAttributes sourceImageBufferAttributes: CFDictionary?,
    compressedDataAllocator: CFAllocator?, outputCallback: VTCompressionOutputCallback?,
    refcon outputCallbackRefCon: UnsafeMutableRawPointer?,
    compressionSessionOut: UnsafeMutablePointer<VTCompressionSession?>
) -> OSStatus { stub() }

public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus { stub() }

public func VTCompressionSessionEncodeFrame(
    _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime, duration: CMTime,
    frameProperties: CFDictionary?, infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?,
    outputHandler: @escaping VTCompressionOutputHandler
) -> OSStatus { stub() }

public func VTCompressionSessionCompleteFrames(
    _ session: VTCompressionSession, untilPresentationTimeStamp completeUntilPresentationTimeStamp: CMTime
) -> OSStatus { stub() }

public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) { stub() }

public var kVTVideoEncoderList_CodecType: CFString { stub() }
public var kVTVideoEncoderList_DisplayName: CFString { stub() }
public var kVTVideoEncoderList_EncoderName: CFString { stub() }
public var kVTVideoEncoderList_IsHardwareAccelerated: CFString { stub() }

public func VTCopyVideoEncoderList(
    _ options: CFDictionary?, _ listOfVideoEncodersOut: UnsafeMutablePointer<CFArray?>
) -> OSStatus { stub() }
