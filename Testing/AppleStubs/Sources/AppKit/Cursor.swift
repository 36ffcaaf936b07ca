@_exported public import AppleBase
@_exported public import CoreGraphics

public typealias NSPoint = CGPoint
public typealias NSRect = CGRect
public typealias NSSize = CGSize

open class NSCursor: NSObject {
    public class var arrow: NSCursor { stub() }
    public class var currentSystem: NSCursor? { stub() }
    public init(image newImage: NSImage, hotSpot point: NSPoint) { stub() }
    public var hotSpot: NSPoint { stub() }
    public var image: NSImage { stub() }
    public func set() { stub() }
    public class func hide() { stub() }
    public class func unhide() { stub() }
}
