@_exported public import AppleBase
public import CoreGraphics

open class CIImage: NSObject {
    public var extent: CGRect { stub() }
}

open class CIFilter: NSObject {
    public init?(name: String, parameters params: [String: Any]?) { stub() }
    public var outputImage: CIImage? { stub() }
}

open class CIContext: NSObject {
    public override init() { stub() }
    public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? { stub() }
}
