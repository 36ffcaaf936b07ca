@_exported public import AppleBase
public import CoreGraphics
public import Metal

public typealias CFTimeInterval = Double
public func CACurrentMediaTime() -> CFTimeInterval { stub() }

open class CALayer {
    public init() {}
    public var frame: CGRect {
        get { stub() }
        set { stub() }
    }
    public func addSublayer(_ layer: CALayer) { stub() }
    public var contentsScale: CGFloat {
        get { stub() }
        set { stub() }
    }
}

public protocol CAMetalDrawable: MTLDrawable {
    var texture: any MTLTexture { get }
}

open class CAMetalLayer: CALayer {
    public var device: (any MTLDevice)?
    public var pixelFormat: MTLPixelFormat {
        get { stub() }
        set { stub() }
    }
    public var colorspace: CGColorSpace? {
        get { stub() }
        set { stub() }
    }
    public var framebufferOnly: Bool {
        get { stub() }
        set { stub() }
    }
    public var drawableSize: CGSize {
        get { stub() }
        set { stub() }
    }
    public var maximumDrawableCount: Int {
        get { stub() }
        set { stub() }
    }
}

public protocol CAMetalDisplayLinkDelegate: AnyObject {
    func metalDisplayLink(_ link: CAMetalDisplayLink, needsUpdate update: CAMetalDisplayLink.Update)
}

open class CAMetalDisplayLink {
    open class Update {
        public var drawable: any CAMetalDrawable { stub() }
        public var targetTimestamp: CFTimeInterval { stub() }
        public var targetPresentationTimestamp: CFTimeInterval { stub() }
    }

    public init(metalLayer layer: CAMetalLayer) {}
    public weak var delegate: (any CAMetalDisplayLinkDelegate)?
    public var preferredFrameLatency: Float {
        get { stub() }
        set { stub() }
    }
    public var isPaused: Bool {
        get { stub() }
        set { stub() }
    }
    public func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) { stub() }
    public func invalidate() { stub() }
}
