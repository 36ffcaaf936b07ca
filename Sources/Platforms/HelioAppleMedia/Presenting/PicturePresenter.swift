package import HelioCore
internal import HelioWindow

/// Shows the newest picture at each refresh of the display, without a queue and without tearing (requirement rows 51-53
/// and 72).
///
/// The presenter is used from the main thread. A new picture waits in a one-slot mailbox. A refresh draws it if fewer
/// than `mostInFlight` drawings are in progress; each drawing retains its textures and its buffer until the GPU has
/// finished. There is one texture cache, made with the first picture. Nothing is drawn unless something has changed,
/// and after a few idle refreshes the display link is paused.
package final class PicturePresenter<Surface: DrawingSurface> {
    package typealias Picture = DecompressedPicture<Surface.Buffer>

    /// The maximum number of drawings in progress on the GPU.
    package static var mostInFlight: Int { 3 }
    /// The number of idle refreshes after which the display link is paused; more than one, so that a stream at half the
    /// display's rate does not pause it after each picture.
    private static var idleRefreshes: Int { 8 }

    private struct Shown {
        var picture: Picture
        var textures: Surface.Cache.Textures
    }
    /// The resources that a drawing reads, retained until the GPU has finished.
    private struct Load: Sendable {
        var buffer: Surface.Buffer
        var textures: Surface.Cache.Textures
    }

    private let surface: Surface
    private let deck = FlightDeck<Load>(limit: PicturePresenter.mostInFlight)
    private var cache: Surface.Cache?
    private var waiting: Picture?
    private var shown: Shown?
    /// True if the shown picture must be drawn again, because the size or the pointer has changed.
    private var isStale = false
    private var idle = 0
    private var counts = DropCounter<PresentDrop>()
    private var failuresSeen = 0

    package private(set) var refreshes = RefreshClock()
    package private(set) var layout: ViewLayout
    package private(set) var mode: ScaleMode
    package private(set) var scroll = (x: 0, y: 0)
    package private(set) var zoom = ViewZoom.none
    /// The number of pictures drawn; drawing a picture again does not count.
    package private(set) var drawnPictures = 0

    /// The host's pointer; a change is drawn with the next refresh.
    package var pointer = PointerOverlay() {
        didSet { if pointer.drawn(in: layout) != oldValue.drawn(in: layout) { invalidate() } }
    }

    package init(surface: Surface, mode: ScaleMode = .fit) {
        self.surface = surface
        self.mode = mode
        layout = ViewLayout(picture: PixelSize(width: 0, height: 0), view: surface.size, mode: mode)
    }

    /// The newest picture, whether it is drawn or still waiting.
    package var picture: Picture? { waiting ?? shown?.picture }
    package var inFlight: Int { deck.count }

    /// The pictures that were not shown and the refreshes that were skipped, counted by reason.
    package var drops: DropCounter<PresentDrop> {
        var all = counts
        all.count(.failed, deck.failures)
        return all
    }

    // MARK: Pictures

    /// Puts a picture into the mailbox for the next refresh; returns the expected time of that refresh.
    package func show(_ picture: Picture, now: Instant) -> Instant {
        if waiting != nil { counts.count(.superseded) }
        waiting = picture
        if picture.size != layout.picture { relayout() }
        wake()
        return refreshes.nextShown(after: now)
    }

    /// Draws if anything has changed. Called at each refresh while the surface's `isTicking` is true.
    ///
    /// - Parameter shown: the time at which the drawing will be on the screen.
    package func tick(_ target: Surface.Target, shown: Instant) {
        refreshes.tick(shown)
        noteFailures()
        guard waiting != nil || isStale && self.shown != nil else { return rest() }
        idle = 0
        guard !deck.isFull else { return counts.count(.inFlight) }
        guard prepare(), let current = self.shown else { return }
        guard let ticket = deck.launch(Load(buffer: current.picture.buffer, textures: current.textures)) else { return }
        let hasBegun = surface.draw(scene(of: current), on: target) { [deck] in deck.land(ticket, isDone: $0.isDone) }
        if hasBegun {
            isStale = false
        } else {
            deck.land(ticket, isDone: true)
            counts.count(.notDrawn)
            isStale = true
        }
    }

    /// Makes the waiting picture the shown one. Returns false if no textures can be made for it.
    private func prepare() -> Bool {
        guard let picture = waiting else { return true }
        waiting = nil
        let samples = SampleFormat(
            chroma: picture.description.chroma, isFullRange: picture.description.color.isFullRange)
        if cache == nil { cache = surface.makeTextureCache() }
        guard let textures = cache?.textures(of: picture.buffer, samples: samples) else {
            cache?.flush()
            counts.count(.noTextures)
            return false
        }
        shown = Shown(picture: picture, textures: textures)
        drawnPictures += 1
        return true
    }

    private func scene(of current: Shown) -> Scene<Surface.Cache.Textures> {
        let drawn = pointer.drawn(in: layout)
        return Scene(
            textures: current.textures, conversion: ColorConversion(current.picture.description), quad: layout.quad,
            isPixelated: layout.isPixelated, pointer: drawn,
            pointerQuad: drawn.map { Quad($0.rect, in: layout.view) })
    }

    /// Schedules another drawing if the GPU has failed since the last call.
    private func noteFailures() {
        let failures = deck.failures
        if failures != failuresSeen { isStale = true }
        failuresSeen = failures
    }

    private func rest() {
        idle += 1
        guard idle >= Self.idleRefreshes, surface.isTicking else { return }
        surface.isTicking = false
    }

    private func wake() {
        idle = 0
        if !surface.isTicking { surface.isTicking = true }
    }

    // MARK: Layout

    /// Schedules another drawing of the shown picture for the next refresh.
    package func invalidate() {
        isStale = true
        if shown != nil { wake() }
    }

    /// Recomputes the layout after a change of the surface's size, the picture's size or the mode.
    package func relayout() {
        let size = picture?.size ?? PixelSize(width: 0, height: 0)
        layout = ViewLayout(
            picture: size, view: surface.size, mode: mode, scrollX: scroll.x, scrollY: scroll.y, zoom: zoom)
        if zoom == .none { scroll = (max(0, -layout.turned.content.x), max(0, -layout.turned.content.y)) }
        invalidate()
    }

    package func setMode(_ mode: ScaleMode) {
        guard mode != self.mode else { return }
        self.mode = mode
        relayout()
    }

    package func setZoom(_ zoom: ViewZoom) {
        guard zoom != self.zoom else { return }
        self.zoom = zoom
        relayout()
    }

    /// Scrolls a picture that is larger than the view (scale mode `actual`), by a distance in pixels.
    package func scroll(byX dx: Int, y dy: Int) {
        scroll = (max(0, scroll.x + dx), max(0, scroll.y + dy))
        relayout()
    }

    /// Resets the measured refresh rate, as the view has moved to another display.
    package func displayChanged() {
        refreshes.reset()
        relayout()
    }
}

/// The reason why a picture was not shown, or a refresh was skipped.
package enum PresentDrop: String, Sendable, Hashable, CaseIterable {
    /// A newer picture arrived before this one was drawn.
    case superseded = "picture-superseded"
    /// `mostInFlight` drawings were in progress, so the refresh was skipped.
    case inFlight = "graphics-busy"
    /// No textures could be made for the picture, or no texture cache.
    case noTextures = "no-textures"
    /// The drawing could not begin.
    case notDrawn = "not-drawn"
    /// The GPU failed.
    case failed = "graphics-failed"
}
