package import HelioCore

/// Makes textures of decoded buffers without copying them: a `CVMetalTextureCache`, or its substitute in a test.
package protocol TextureCaching<Buffer>: AnyObject, SendableMetatype {
    associatedtype Buffer: PictureBuffer
    /// The textures of one buffer's planes, which keep the buffer and the textures alive.
    associatedtype Textures: Sendable

    /// The textures of a buffer's two planes; `nil` if they can't be made.
    func textures(of buffer: Buffer, samples: SampleFormat) -> Textures?
    /// Releases textures that are no longer used.
    func flush()
}

/// The content of one drawing: a picture, with its conversion to RGB and its corners, and the pointer over it.
package struct Scene<Textures: Sendable>: Sendable {
    package var textures: Textures
    package var conversion: ColorConversion
    package var quad: Quad
    /// True if pixels are repeated and not blended.
    package var isPixelated: Bool
    package var pointer: PointerOverlay.Drawn?
    package var pointerQuad: Quad?
}

/// The result of one drawing by the graphics processor.
package struct DrawingResult: Sendable, Hashable {
    /// False if the graphics processor failed.
    package var isDone: Bool
    package init(isDone: Bool) { self.isDone = isDone }
}

/// A place to draw on, with the graphics processor behind it: a `CAMetalLayer` and its queue, or their substitute in a
/// test.
package protocol DrawingSurface<Buffer>: AnyObject, SendableMetatype {
    associatedtype Buffer: PictureBuffer
    associatedtype Cache: TextureCaching where Cache.Buffer == Buffer
    /// An image of the surface to draw on, such as a `CAMetalDrawable`; a surface has few.
    associatedtype Target

    /// The surface's size, in pixels.
    var size: PixelSize { get }
    /// True while `PicturePresenter.tick` is called for each of the display's refreshes.
    var isTicking: Bool { get set }

    /// Makes a texture cache; `nil` if that is not possible.
    func makeTextureCache() -> Cache?
    /// Draws a scene, and shows it at the target's time. False if drawing could not begin; otherwise `done` is called
    /// once, on any thread, when the graphics processor has read the last of the textures.
    func draw(
        _ scene: Scene<Cache.Textures>, on target: Target, done: @escaping @Sendable (DrawingResult) -> Void
    ) -> Bool
}
