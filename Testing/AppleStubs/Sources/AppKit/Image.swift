public import AppleBase
public import CoreGraphics

public class NSGraphicsContext: NSObject {}

open class NSImage: NSObject, @unchecked Sendable {
    public init(size: NSSize) { stub() }
    public var size: NSSize { stub() }
    public func addRepresentation(_ imageRep: NSImageRep) { stub() }
    public func cgImage(
        forProposedRect proposedDestRect: UnsafeMutablePointer<NSRect>?, context referenceContext: NSGraphicsContext?,
        hints: [NSImageRep.HintKey: Any]?
    ) -> CGImage? { stub() }
}

open class NSImageRep: NSObject {
    public struct HintKey: Hashable, Sendable {}
    public var size: NSSize {
        get { stub() }
        set { stub() }
    }
}

public struct NSColorSpaceName: Sendable {
    public static var deviceRGB: NSColorSpaceName { stub() }
}

open class NSBitmapImageRep: NSImageRep {
    public struct Format: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var alphaNonpremultiplied: Format { Format(rawValue: 2) }
    }
    public init?(
        bitmapDataPlanes planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, pixelsWide width: Int,
        pixelsHigh height: Int, bitsPerSample bps: Int, samplesPerPixel spp: Int, hasAlpha alpha: Bool,
        isPlanar: Bool, colorSpaceName: NSColorSpaceName, bitmapFormat: Format, bytesPerRow rBytes: Int,
        bitsPerPixel pBits: Int
    ) { stub() }
    public var bitmapData: UnsafeMutablePointer<UInt8>? { stub() }
}
