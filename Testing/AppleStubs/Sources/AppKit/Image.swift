public import AppleBase
public import CoreGraphics

public class NSGraphicsContext: NSObject {}

public class NSImage: NSObject, @unchecked Sendable {
    public var size: NSSize { stub() }
    public func cgImage(
        forProposedRect proposedDestRect: UnsafeMutablePointer<NSRect>?, context referenceContext: NSGraphicsContext?,
        hints: [NSImageRep.HintKey: Any]?
    ) -> CGImage? { stub() }
}

public class NSImageRep: NSObject {
    public struct HintKey: Hashable, Sendable {}
}
