@_exported public import AppleBase
@_exported public import CoreMedia

public typealias VTSession = CFTypeRef

public func VTSessionSetProperty(
    _ session: VTSession, key propertyKey: CFString, value propertyValue: CFTypeRef?
)
    -> OSStatus
{ stub() }
public func VTSessionCopyProperty(
    _ session: VTSession, key propertyKey: CFString, allocator: CFAllocator?, valueOut: UnsafeMutableRawPointer?
) -> OSStatus { stub() }

public var kVTCompressionPropertyKey_AllowFrameReordering: CFString { stub() }
public var kVTCompressionPropertyKey_AverageBitRate: CFString { stub() }
public var kVTCompressionPropertyKey_ColorPrimaries: CFString { stub() }
public var kVTCompressionPropertyKey_DataRateLimits: CFString { stub() }
public var kVTCompressionPropertyKey_ExpectedFrameRate: CFString { stub() }
public var kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString { stub() }
public var kVTCompressionPropertyKey_ProfileLevel: CFString { stub() }
public var kVTCompressionPropertyKey_RealTime: CFString { stub() }
public var kVTCompressionPropertyKey_TransferFunction: CFString { stub() }
public var kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder: CFString { stub() }
public var kVTCompressionPropertyKey_YCbCrMatrix: CFString { stub() }

public var kVTProfileLevel_H264_Baseline_AutoLevel: CFString { stub() }
public var kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString { stub() }
public var kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString { stub() }
public var kVTProfileLevel_H264_Main_AutoLevel: CFString { stub() }
public var kVTProfileLevel_HEVC_Main_AutoLevel: CFString { stub() }

public var kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: CFString { stub() }
public var kVTVideoEncoderSpecification_EnableLowLatencyRateControl: CFString { stub() }
public var kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: CFString { stub() }
public var kVTEncodeFrameOptionKey_ForceKeyFrame: CFString { stub() }
