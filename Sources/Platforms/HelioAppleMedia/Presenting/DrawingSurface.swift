package import HelioCore

/// Makes textures from decoded buffers without copying them: a `CVMetalTextureCache`, or its substitute in a test.
package protocol TextureCaching<Buffer>: AnyObject, SendableMetatype {
    associatedtype Buffer: PictureBuffer
    /// The textures of one buffer's planes; the value retains the buffer too.
    associatedtype Textures: Sendable

    /// Returns the textures of a buffer's two planes; `nil` if they can't be made.
    func textures(of buffer: Buffer, samples: SampleFormat) -> Textures?
    /// Releases textures that are no longer used.
    func flush()
}

/// The content of one drawing: a picture with its conversion to RGB and its corners, and the pointer over it if there
/// is one.
package struct Scene<Textures: Sendable>: Sendable {
    package var textures: Textures
    package var conversion: ColorConversion
    package var quad: Quad
    /// True for nearest-neighbour scaling, false for linear filtering.
    package var isPixelated: Bool
    package var pointer: PointerOverlay.Drawn?
    package var pointerQuad: Quad?
}

/// The result of one drawing by the GPU.
package struct DrawingResult: Sendable, Hashable {
    /// False if the GPU failed.
    package var isDone: Bool
    package init(isDone: Bool) { self.isDone = isDone }
}

/// A surface to draw on by the GPU: a `CAMetalLayer` and its command queue, or their substitute in a test.
package protocol DrawingSurface<Buffer>: AnyObject, SendableMetatype {
    associatedtype Buffer: PictureBuffer
    associatedtype Cache: TextureCaching where Cache.Buffer == Buffer
    /// An image of the surface to draw on, such as a `CAMetalDrawable`; a surface has only a few.
    associatedtype Target

    /// The size of the drawable, in pixels, not points.
    var size: PixelSize { get }
    /// True while `PicturePresenter.tick` is called for each of the display's refreshes.
    var isTicking: Bool { get set }

    /// Makes a texture cache; `nil` if it can't be made.
    func makeTextureCache() -> Cache?
    /// Draws a scene, and shows it at the target's presentation time. Returns false if drawing could not begin;
    /// otherwise `done` is called once, on any thread, when the GPU no longer reads the textures.
    func draw(
        _ scene: Scene<Cache.Textures>, on target: Target, done: @escaping @Sendable (DrawingResult) -> Void
    ) -> Bool
}
