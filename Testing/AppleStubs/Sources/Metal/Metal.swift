@_exported public import AppleBase

public enum MTLPixelFormat: UInt, Sendable {
    case r8Unorm = 10
    case rg8Unorm = 30
    case rgba8Unorm = 70
    case bgra8Unorm = 80
}

public enum MTLPrimitiveType: UInt, Sendable {
    case triangle = 3
    case triangleStrip = 4
}

public enum MTLLoadAction: UInt, Sendable {
    case dontCare = 0
    case load = 1
    case clear = 2
}

public enum MTLStoreAction: UInt, Sendable {
    case dontCare = 0
    case store = 1
}

public enum MTLBlendFactor: UInt, Sendable {
    case zero = 0
    case one = 1
    case sourceAlpha = 4
    case oneMinusSourceAlpha = 5
}

public enum MTLSamplerMinMagFilter: UInt, Sendable {
    case nearest = 0
    case linear = 1
}

public enum MTLSamplerAddressMode: UInt, Sendable {
    case clampToEdge = 0
}

public enum MTLCommandBufferStatus: UInt, Sendable {
    case completed = 4
    case error = 5
}

public struct MTLClearColor: Sendable {
    public init(red: Double, green: Double, blue: Double, alpha: Double) { stub() }
}

public struct MTLRegion: Sendable {}
public func MTLRegionMake2D(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> MTLRegion { stub() }

public class MTLCompileOptions {}

public protocol MTLDevice: AnyObject, Sendable {
    func makeCommandQueue() -> (any MTLCommandQueue)?
    func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary
    func makeRenderPipelineState(descriptor: MTLRenderPipelineDescriptor) throws -> any MTLRenderPipelineState
    func makeSamplerState(descriptor: MTLSamplerDescriptor) -> (any MTLSamplerState)?
    func makeTexture(descriptor: MTLTextureDescriptor) -> (any MTLTexture)?
}

public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { stub() }

public protocol MTLTexture: AnyObject, Sendable {
    func replace(region: MTLRegion, mipmapLevel level: Int, withBytes pixelBytes: UnsafeRawPointer, bytesPerRow: Int)
}
public protocol MTLSamplerState: AnyObject, Sendable {}
public protocol MTLRenderPipelineState: AnyObject, Sendable {}
public protocol MTLFunction: AnyObject, Sendable {}
public protocol MTLDrawable: AnyObject {}

public protocol MTLLibrary: AnyObject, Sendable {
    func makeFunction(name functionName: String) -> (any MTLFunction)?
}

public protocol MTLCommandQueue: AnyObject, Sendable {
    func makeCommandBuffer() -> (any MTLCommandBuffer)?
}

public protocol MTLCommandBuffer: AnyObject {
    var status: MTLCommandBufferStatus { get }
    func makeRenderCommandEncoder(descriptor: MTLRenderPassDescriptor) -> (any MTLRenderCommandEncoder)?
    func addCompletedHandler(_ block: @escaping @Sendable (any MTLCommandBuffer) -> Void)
    func present(_ drawable: any MTLDrawable)
    func commit()
}

public protocol MTLRenderCommandEncoder: AnyObject {
    func setRenderPipelineState(_ pipelineState: any MTLRenderPipelineState)
    func setVertexBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
    func setFragmentBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
    func setFragmentTexture(_ texture: (any MTLTexture)?, index: Int)
    func setFragmentSamplerState(_ sampler: (any MTLSamplerState)?, index: Int)
    func drawPrimitives(type primitiveType: MTLPrimitiveType, vertexStart: Int, vertexCount: Int)
    func endEncoding()
}

public class MTLRenderPassColorAttachmentDescriptor {
    public var texture: (any MTLTexture)?
    public var loadAction: MTLLoadAction {
        get { stub() }
        set { stub() }
    }
    public var storeAction: MTLStoreAction {
        get { stub() }
        set { stub() }
    }
    public var clearColor: MTLClearColor {
        get { stub() }
        set { stub() }
    }
}

public class MTLRenderPassColorAttachmentDescriptorArray {
    public subscript(attachmentIndex: Int) -> MTLRenderPassColorAttachmentDescriptor! {
        get { stub() }
        set { stub() }
    }
}

public class MTLRenderPassDescriptor {
    public init() {}
    public var colorAttachments: MTLRenderPassColorAttachmentDescriptorArray! { stub() }
}

public class MTLRenderPipelineColorAttachmentDescriptor {
    public var pixelFormat: MTLPixelFormat {
        get { stub() }
        set { stub() }
    }
    public var isBlendingEnabled: Bool {
        get { stub() }
        set { stub() }
    }
    public var sourceRGBBlendFactor: MTLBlendFactor {
        get { stub() }
        set { stub() }
    }
    public var destinationRGBBlendFactor: MTLBlendFactor {
        get { stub() }
        set { stub() }
    }
}

public class MTLRenderPipelineColorAttachmentDescriptorArray {
    public subscript(attachmentIndex: Int) -> MTLRenderPipelineColorAttachmentDescriptor! {
        get { stub() }
        set { stub() }
    }
}

public class MTLRenderPipelineDescriptor {
    public init() {}
    public var vertexFunction: (any MTLFunction)?
    public var fragmentFunction: (any MTLFunction)?
    public var colorAttachments: MTLRenderPipelineColorAttachmentDescriptorArray! { stub() }
}

public class MTLSamplerDescriptor {
    public init() {}
    public var minFilter: MTLSamplerMinMagFilter {
        get { stub() }
        set { stub() }
    }
    public var magFilter: MTLSamplerMinMagFilter {
        get { stub() }
        set { stub() }
    }
    public var sAddressMode: MTLSamplerAddressMode {
        get { stub() }
        set { stub() }
    }
    public var tAddressMode: MTLSamplerAddressMode {
        get { stub() }
        set { stub() }
    }
}

public class MTLTextureDescriptor {
    public class func texture2DDescriptor(
        pixelFormat: MTLPixelFormat, width: Int, height: Int, mipmapped: Bool
    ) -> MTLTextureDescriptor { stub() }
}
