@_exported public import AppleBase
@_exported public import CoreGraphics

public typealias NSPoint = CGPoint
public typealias NSRect = CGRect
public typealias NSSize = CGSize

public class NSCursor: NSObject {
    public class var currentSystem: NSCursor? { stub() }
    public var hotSpot: NSPoint { stub() }
    public var image: NSImage { stub() }
}
