public import AppleBase

public typealias CMAttachmentBearer = AnyObject
public typealias CMAttachmentMode = UInt32

public func CMGetAttachment(
    _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? { stub() }
