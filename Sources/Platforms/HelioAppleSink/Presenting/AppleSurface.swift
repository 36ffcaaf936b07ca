internal import CoreGraphics
internal import Foundation
package import HelioAppleMedia
private import HelioAppleSound
package import HelioCore
internal import Metal
package import QuartzCore

/// A `CAMetalLayer` on which pictures are drawn at the display's refreshes. It is only type-checked; no test runs it.
///
/// The surface is used on the main thread, on which its display link calls back.
package final class AppleSurface: DrawingSurface {
    package typealias Textures = AppleTextureCache.Textures

    package let layer = CAMetalLayer()
    /// Called at each refresh while `isTicking` is true.
    package var onRefresh: ((_ target: any CAMetalDrawable, _ shown: Instant) -> Void)?

    private let device: any MTLDevice
    private let queue: any MTLCommandQueue
    private let pipelines: ApplePipelines
    private let link: CAMetalDisplayLink
    private var pointer: (shape: CursorShape, texture: any MTLTexture)?

    /// Fails if Metal is not available.
    package init?() {
        guard let device = MTLCreateSystemDefaultDevice(), let queue = device.makeCommandQueue(),
            let pipelines = ApplePipelines(device)
        else { return nil }
        (self.device, self.queue, self.pipelines) = (device, queue, pipelines)
        layer.device = device
        layer.pixelFormat = .bgra8Unorm
        layer.framebufferOnly = true
        // Without it the values would go to the display as its own: too colourful on one that shows P3.
        layer.colorspace = CGColorSpace(name: CGColorSpace.sRGB)
        layer.maximumDrawableCount = PicturePresenter<AppleSurface>.mostInFlight
        link = CAMetalDisplayLink(metalLayer: layer)
        link.preferredFrameLatency = 1
        link.isPaused = true
        link.delegate = self
        link.add(to: .main, forMode: .common)
    }

    /// Invalidates the link, which the run loop would otherwise retain.
    deinit { link.invalidate() }

    package var size: PixelSize {
        PixelSize(width: Int(layer.drawableSize.width), height: Int(layer.drawableSize.height))
    }

    package var isTicking: Bool {
        get { !link.isPaused }
        set { link.isPaused = !newValue }
    }

    package func makeTextureCache() -> AppleTextureCache? { AppleTextureCache(device) }

    package func draw(
        _ scene: Scene<Textures>, on target: any CAMetalDrawable, done: @escaping @Sendable (DrawingResult) -> Void
    ) -> Bool {
        let pass = MTLRenderPassDescriptor()
        pass.colorAttachments[0]?.texture = target.texture
        pass.colorAttachments[0]?.loadAction = .clear
        pass.colorAttachments[0]?.storeAction = .store
        pass.colorAttachments[0]?.clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 1)
        guard let buffer = queue.makeCommandBuffer(), let encoder = buffer.makeRenderCommandEncoder(descriptor: pass)
        else { return false }
        encodePicture(scene, encoder)
        encodePointer(scene, encoder)
        encoder.endEncoding()
        buffer.addCompletedHandler { done(DrawingResult(isDone: $0.status == .completed)) }
        buffer.present(target)
        buffer.commit()
        return true
    }

    private func encodePicture(_ scene: Scene<Textures>, _ encoder: any MTLRenderCommandEncoder) {
        encoder.setRenderPipelineState(pipelines.picture)
        scene.conversion.uniforms.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { encoder.setFragmentBytes(base, length: bytes.count, index: 0) }
        }
        encoder.setFragmentTexture(scene.textures.luma, index: 0)
        encoder.setFragmentTexture(scene.textures.chroma, index: 1)
        encoder.setFragmentSamplerState(scene.isPixelated ? pipelines.nearest : pipelines.linear, index: 0)
        strip(scene.quad, encoder)
    }

    private func encodePointer(_ scene: Scene<Textures>, _ encoder: any MTLRenderCommandEncoder) {
        guard let drawn = scene.pointer, let quad = scene.pointerQuad, let texture = texture(of: drawn.shape) else {
            return
        }
        encoder.setRenderPipelineState(pipelines.pointer)
        encoder.setFragmentTexture(texture, index: 0)
        encoder.setFragmentSamplerState(pipelines.linear, index: 0)
        strip(quad, encoder)
    }

    private func strip(_ quad: Quad, _ encoder: any MTLRenderCommandEncoder) {
        quad.corners.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { encoder.setVertexBytes(base, length: bytes.count, index: 0) }
        }
        encoder.drawPrimitives(type: .triangleStrip, vertexStart: 0, vertexCount: quad.corners.count)
    }

    /// Returns the shape's texture, which is reused while the shape stays the same.
    private func texture(of shape: CursorShape) -> (any MTLTexture)? {
        if let pointer, pointer.shape == shape { return pointer.texture }
        let (width, height) = (shape.size.width, shape.size.height)
        let descriptor = MTLTextureDescriptor.texture2DDescriptor(
            pixelFormat: .rgba8Unorm, width: width, height: height, mipmapped: false)
        guard let texture = device.makeTexture(descriptor: descriptor) else { return nil }
        shape.rgba.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            texture.replace(
                region: MTLRegionMake2D(0, 0, width, height), mipmapLevel: 0, withBytes: base, bytesPerRow: width * 4)
        }
        pointer = (shape, texture)
        return texture
    }
}

extension AppleSurface: CAMetalDisplayLinkDelegate {
    package func metalDisplayLink(_ link: CAMetalDisplayLink, needsUpdate update: CAMetalDisplayLink.Update) {
        onRefresh?(update.drawable, HostClock.instant(seconds: update.targetPresentationTimestamp))
    }
}
