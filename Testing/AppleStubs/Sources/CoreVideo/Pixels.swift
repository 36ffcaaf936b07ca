@_exported public import AppleBase

public class CVBuffer {}
public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVBuffer
public typealias CVReturn = Int32

public let kCVReturnSuccess: CVReturn = 0
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066

public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { stub() }
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { stub() }
