public import AppleBase

public enum CVAttachmentMode: UInt32, Sendable {
    case shouldNotPropagate = 0
    case shouldPropagate = 1
}

public var kCVImageBufferColorPrimariesKey: CFString { stub() }
public var kCVImageBufferColorPrimaries_ITU_R_709_2: CFString { stub() }
public var kCVImageBufferColorPrimaries_SMPTE_C: CFString { stub() }
public var kCVImageBufferTransferFunctionKey: CFString { stub() }
public var kCVImageBufferTransferFunction_ITU_R_709_2: CFString { stub() }
public var kCVImageBufferTransferFunction_sRGB: CFString { stub() }
public var kCVImageBufferYCbCrMatrixKey: CFString { stub() }
public var kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString { stub() }
public var kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString { stub() }

public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? { stub() }

public func CVBufferSetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) { stub() }
