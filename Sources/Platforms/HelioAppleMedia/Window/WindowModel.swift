package import HelioCore

/// The model of a window that shows the host's screen and takes input for it: the logic that the windows of AppKit and
/// UIKit share.
///
/// The model is used from the main thread. The platform passes the events that `input` returns to `take`, and executes
/// the model's requests (`WindowHosting`).
package final class WindowModel<Surface: DrawingSurface> {
    package typealias Picture = DecompressedPicture<Surface.Buffer>

    package let presenter: PicturePresenter<Surface>
    package var input: WindowInputState
    package private(set) var texts: WindowTexts
    package private(set) var events = WindowEventQueue()
    package private(set) var isFullScreen = false
    /// True if the system's own key combinations are sent to the host while the window has the keyboard focus, as
    /// chosen by the user.
    package private(set) var grabsKeyboard: Bool

    private var hasFocus = false
    private var isGrabbing = false
    private weak var host: (any WindowHosting)?
    private let surface: Surface
    private var adoptsPictureSize: Bool
    /// The last look of this machine's pointer that was passed to `host`.
    private var pointer = PointerOverlay.Local.system

    package init(surface: Surface, host: any WindowHosting, options: WindowOptions) {
        self.surface = surface
        self.host = host
        presenter = PicturePresenter(surface: surface, mode: options.scaleMode)
        input = WindowInputState(isTextMode: options.keys != .place, controls: options.controls)
        texts = WindowTexts(waiting: options.waitingText)
        grabsKeyboard = options.grabsKeyboard
        adoptsPictureSize = options.adoptsPictureSize && !options.isFullScreen
        presenter.pointer.controls = options.controls
    }

    /// Applies the options; called once, when the window exists.
    package func begin(_ options: WindowOptions) {
        host?.setTexts(texts)
        if options.isFullScreen { host?.setFullScreen(true) }
    }

    package var layout: ViewLayout { presenter.layout }

    // MARK: Calls from the viewer

    package func show(_ picture: Picture, now: Instant) -> Instant {
        let isFirst = presenter.picture == nil
        let shown = presenter.show(picture, now: now)
        if isFirst {
            if adoptsPictureSize { host?.adopt(picture.size) }
            change { $0.hasPicture = true }
        }
        updatePointer()
        return shown
    }

    package func setWaitingText(_ text: String) { change { $0.waiting = text } }
    package func setMessage(_ text: String?) { change { $0.message = text } }
    package func setStatistics(_ lines: [String]?) { change { $0.statistics = lines } }

    package func setControls(_ isOn: Bool) {
        let wasLocked = input.isPointerLocked
        input.setControls(isOn)
        if wasLocked, !input.isPointerLocked { host?.setPointerLocked(false) }
        updatePointer()
    }

    package func setCursorShape(_ shape: CursorShape?) {
        if presenter.pointer.setShape(shape) { updatePointer() }
    }

    package func setCursorPosition(_ position: (x: Int, y: Int)?) { presenter.pointer.setPosition(position) }

    // MARK: Calls from the platform

    /// Queues the events that `input` has returned, and executes the commands among them.
    package func take(_ happened: [WindowEvent]) {
        for event in happened {
            if case .command(.quit) = event {
                events.append(.closeRequested)
                continue
            }
            if case .command(let command) = event { obey(command) }
            events.append(event)
        }
        updatePointer()
    }

    /// Handles a change of the view's size or of its display.
    package func resized() {
        presenter.displayChanged()
        events.append(.resized(surface.size))
        updatePointer()
    }

    package func setZoom(_ zoom: ViewZoom) {
        presenter.setZoom(zoom)
        updatePointer()
    }

    package func fullScreenChanged(_ isOn: Bool) { isFullScreen = isOn }

    /// Handles the gain of the keyboard focus.
    package func focusGained() {
        hasFocus = true
        take(input.focusGained())
        updateGrab()
    }

    /// Handles the system's refusal of the keyboard grab: turns the grab off, and shows the reason to the user.
    package func keyboardGrabRefused() {
        grabsKeyboard = false
        isGrabbing = false
        setMessage(Self.grabRefusal)
    }

    package static var grabRefusal: String {
        "macOS keeps its own keys, as Command-Tab. Where Heliograph is listed in System Settings, Privacy & Security, "
            + "Accessibility or Input Monitoring, switch it on to have them; all other keys and buttons work without."
    }

    /// Handles the loss of the keyboard focus, or the app's move to the background.
    package func focusLost() {
        hasFocus = false
        updateGrab()
        let wasLocked = input.isPointerLocked
        take(input.focusLost())
        if wasLocked { host?.setPointerLocked(false) }
    }

    package func takeEvents() -> [WindowEvent] { events.takeAll() }

    // MARK: Commands

    private func obey(_ command: WindowCommand) {
        let step = (x: layout.view.width / 4, y: layout.view.height / 4)
        switch command {
        case .toggleFullScreen: host?.setFullScreen(!isFullScreen)
        case .nextScaleMode: presenter.setMode(presenter.mode.next)
        case .togglePointerLock: setPointerLocked(!input.isPointerLocked)
        case .toggleKeyboardGrab:
            grabsKeyboard.toggle()
            updateGrab()
        case .toggleHelp: change { $0.showsHelp.toggle() }
        case .scrollLeft: presenter.scroll(byX: -step.x, y: 0)
        case .scrollRight: presenter.scroll(byX: step.x, y: 0)
        case .scrollUp: presenter.scroll(byX: 0, y: -step.y)
        case .scrollDown: presenter.scroll(byX: 0, y: step.y)
        case .toggleKeys: input.toggleKeys()
        case .toggleStatistics, .changeDriver, .nextMonitor, .toggleSound, .toggleMicrophone, .toggleClipboard,
            .takeFiles, .declineFiles, .louder, .quieter, .quit:
            break
        }
    }

    package static var lockRefusal: String {
        "This system lets no view hold the pointer. It moves the host's by place, as before."
    }

    private func setPointerLocked(_ isOn: Bool) {
        if isOn, host?.locksPointer == false { return setMessage(Self.lockRefusal) }
        if input.setPointerLocked(isOn) { host?.setPointerLocked(isOn) }
    }

    /// Grabs the keys if the user wants that and the window has the keyboard focus; otherwise releases them.
    private func updateGrab() {
        let wanted = grabsKeyboard && hasFocus
        guard wanted != isGrabbing else { return }
        isGrabbing = wanted
        host?.setGrabsKeyboard(wanted)
    }

    private func change(_ body: (inout WindowTexts) -> Void) {
        let before = texts
        body(&texts)
        if texts != before { host?.setTexts(texts) }
    }

    private func updatePointer() {
        presenter.pointer.controls = input.controls
        presenter.pointer.isOverPicture = input.isOverPicture(layout)
        presenter.pointer.isLocked = input.isPointerLocked
        let local = presenter.pointer.local(in: layout)
        guard local != pointer else { return }
        pointer = local
        host?.setPointer(local)
    }
}
