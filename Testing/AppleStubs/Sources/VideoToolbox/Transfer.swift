public import AppleBase
public import CoreVideo

public class VTPixelTransferSession {}
public class VTPixelRotationSession {}

public var kVTPixelTransferPropertyKey_RealTime: CFString { stub() }
public var kVTPixelTransferPropertyKey_ScalingMode: CFString { stub() }
public var kVTScalingMode_Letterbox: CFString { stub() }
public var kVTScalingMode_Normal: CFString { stub() }

public func VTPixelTransferSessionCreate(
    allocator: CFAllocator?, pixelTransferSessionOut: UnsafeMutablePointer<VTPixelTransferSession?>
) -> OSStatus { stub() }
public func VTPixelTransferSessionTransferImage(
    _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer, to destinationBuffer: CVPixelBuffer
) -> OSStatus { stub() }
public func VTPixelTransferSessionInvalidate(_ session: VTPixelTransferSession) { stub() }

public var kVTPixelRotationPropertyKey_Rotation: CFString { stub() }
public var kVTRotation_0: CFString { stub() }
public var kVTRotation_180: CFString { stub() }
public var kVTRotation_CCW90: CFString { stub() }
public var kVTRotation_CW90: CFString { stub() }

public func VTPixelRotationSessionCreate(
    _ allocator: CFAllocator?, _ pixelRotationSessionOut: UnsafeMutablePointer<VTPixelRotationSession?>
) -> OSStatus { stub() }
public func VTPixelRotationSessionRotateImage(
    _ session: VTPixelRotationSession, _ sourceBuffer: CVPixelBuffer, _ destinationBuffer: CVPixelBuffer
) -> OSStatus { stub() }
public func VTPixelRotationSessionInvalidate(_ session: VTPixelRotationSession) { stub() }
