@_exported public import AppleBase
@_exported public import CoreGraphics

public var kAXTrustedCheckOptionPrompt: Unmanaged<CFString> { stub() }
public func AXIsProcessTrustedWithOptions(_ options: CFDictionary?) -> Bool { stub() }
