@_exported public import AppleBase

public class CGColorSpace {
    public static var sRGB: CFString { stub() }
    public static var itur_709: CFString { stub() }
    public init?(name: CFString) { stub() }
}

public enum CGImageAlphaInfo: UInt32, Sendable {
    case premultipliedLast = 1
}

public class CGImage {
    public var width: Int { stub() }
    public var height: Int { stub() }
}

public class CGContext {
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) { stub() }
    public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) { stub() }
}
