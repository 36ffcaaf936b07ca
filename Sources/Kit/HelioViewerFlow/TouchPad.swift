private import HelioControlWire
public import HelioCore
private import HelioRemote
public import HelioViewing

/// The picture as a trackpad: touches on it move the host's pointer, click, drag, scroll, and zoom the view, by the
/// rules of docs/web/gestures.md. Used on the main thread.
@MainActor
public final class TouchPad {
    /// The phase of a finger's touch.
    public enum Phase: Hashable, Sendable {
        case down
        case move
        case up
        /// The system has cancelled the touch, to use it for a gesture of its own.
        case cancelled
    }

    /// The distance that the pointer keeps from the view's edges, in points.
    private static let margin = 48.0

    /// The scale of the picture's view, which fills its container at scale 1. ``offset`` is the view's translation.
    public var zoom: Double { view.zoom }
    /// The offset of the view's centre from the container's centre, in points; positive is right and down.
    public var offset: (x: Double, y: Double) {
        let frame = view.frame
        return (frame.x + frame.width / 2 - view.width / 2, frame.y + frame.height / 2 - view.height / 2)
    }

    /// Called after each change of ``zoom``, ``offset`` or ``timeToTick``.
    public var onChange: () -> Void = {}
    private let now: () -> Duration
    private let send: (SinkInput) -> Void
    private var engine = GestureEngine()
    private var view = ZoomedView(picture: PixelSize(width: 0, height: 0), width: 0, height: 0)
    /// The position of the host's pointer, in the host's pixels.
    private var pointer: (x: Double, y: Double) = (0, 0)

    /// - Parameters:
    ///   - now: the time on a monotonic clock with any origin.
    ///   - send: sends input to the host.
    public init(now: @escaping () -> Duration, send: @escaping (SinkInput) -> Void) {
        self.now = now
        self.send = send
    }

    /// True if the content follows two scrolling fingers, as on a phone.
    public var naturalScrolling: Bool {
        get { engine.settings.naturalScrolling }
        set { engine.settings.naturalScrolling = newValue }
    }

    /// Sets the size of the picture, in the host's pixels. Until it is moved, the pointer is assumed to be at the
    /// picture's centre.
    public func show(_ picture: PixelSize) {
        guard picture != view.picture else { return }
        view.picture = picture
        pointer = (Double(picture.width) / 2, Double(picture.height) / 2)
        settle()
    }

    /// Sets the size of the picture's container, in points.
    public func resize(width: Double, height: Double) {
        view.resize(width: width, height: height)
        settle()
    }

    /// Handles a touch. Positions are in points from the container's top left corner; a finger keeps its `id` from down
    /// to up.
    public func touch(_ phase: Phase, id: Int, x: Double, y: Double) {
        let input: GestureEngine.Input =
            switch phase {
            case .down: .down(id: id, x: x, y: y)
            case .move: .move(id: id, x: x, y: y)
            case .up: .up(id: id, x: x, y: y)
            case .cancelled: .cancel(id: id)
            }
        engine.handle(input, now: .zero + now())
        drain()
    }

    /// Ends all touches, because the app goes to the background or the session is left.
    public func reset() {
        engine.handle(.reset, now: .zero + now())
        drain()
    }

    /// Handles the expired deadlines.
    public func tick() {
        engine.tick(now: .zero + now())
        drain()
    }

    /// The time until ``tick()`` has to be called; `nil` if there is no deadline.
    public var timeToTick: Duration? { engine.deadline.map { max(.zero, $0.at - (.zero + now())) } }

    private func drain() {
        while let action = engine.poll() { perform(action) }
        settle()
    }

    private func settle() {
        engine.zoom = view.zoom
        engine.settings.pointerScale = view.scale > 0 ? view.zoom / view.scale : 1
        onChange()
    }

    private func perform(_ action: GestureAction) {
        switch action {
        case .move(let dx, let dy): move(dx, dy)
        case .click(let button):
            press(button, isDown: true)
            press(button, isDown: false)
        case .button(let button, let isDown): press(button, isDown: isDown)
        case .scroll(let dx, let dy): send(.scrolled(dx: dx, dy: dy))
        case .zoom(let scale, let x, let y): view.zoom(to: scale, x: x, y: y)
        case .pan(let dx, let dy): view.pan(dx: dx, dy: dy)
        case .resetZoom: view.resetZoom()
        }
    }

    private func move(_ dx: Int, _ dy: Int) {
        pointer.x = min(max(pointer.x + Double(dx), 0), max(0, Double(view.picture.width - 1)))
        pointer.y = min(max(pointer.y + Double(dy), 0), max(0, Double(view.picture.height - 1)))
        view.reveal(x: pointer.x, y: pointer.y, margin: Self.margin)
        let place = place
        send(.pointerMoved(x: place.x, y: place.y))
    }

    private func press(_ button: PointerButton, isDown: Bool) {
        let place = place
        send(.button(Self.button(button), isDown: isDown, x: place.x, y: place.y))
    }

    /// The centre of the pointer's pixel, as a fraction of the picture's size.
    private var place: (x: Double, y: Double) {
        guard view.picture.width > 0, view.picture.height > 0 else { return (0.5, 0.5) }
        return (
            (pointer.x.rounded(.down) + 0.5) / Double(view.picture.width),
            (pointer.y.rounded(.down) + 0.5) / Double(view.picture.height)
        )
    }

    private static func button(_ button: PointerButton) -> SinkInput.Button {
        switch button {
        case .left: .left
        case .middle: .middle
        case .right: .right
        case .back: .back
        case .forward: .forward
        }
    }
}
