private import HelioControlWire
internal import HelioCore
internal import HelioRemote
internal import HelioServing
internal import HelioSharing
private import Synchronization

/// Converts viewers' input to `SinkInput` events for an app that supplies its own picture.
///
/// `@unchecked Sendable`: the control port, which is the only caller of `inject`, makes one call at a time.
final class AppInput: DrivenMachine, @unchecked Sendable {
    private let size: Mutex<PixelSize>
    private let tell: @Sendable (SinkInput) -> Void
    private var pointer = (x: 0.5, y: 0.5)
    /// The USB HID usages of the pressed keys that the app got as text instead of key events: their releases are not
    /// forwarded.
    private var typing: Set<UInt16> = []

    init(size: PixelSize, tell: @escaping @Sendable (SinkInput) -> Void) {
        self.size = Mutex(size)
        self.tell = tell
    }

    /// Sets the size of the app's picture, in whose pixels the viewers' positions are given.
    func setSize(_ size: PixelSize) { self.size.withLock { $0 = size } }

    func inject(_ inputs: [InjectedInput]) {
        for input in inputs { take(input) }
    }

    /// Ignores the selection: an app has a single picture, which belongs to no monitor.
    func selectMonitor(_: String) {}

    private func take(_ input: InjectedInput) {
        switch input {
        case .movePointer(let x, let y):
            pointer = place(x, y)
            tell(.pointerMoved(x: pointer.x, y: pointer.y))
        case .movePointerBy(let dx, let dy): tell(.pointerMovedBy(dx: dx, dy: dy))
        case .button(let button, let isDown):
            tell(.button(SinkInput.Button(button), isDown: isDown, x: pointer.x, y: pointer.y))
        case .scroll(let dx, let dy): tell(.scrolled(dx: dx, dy: dy))
        case .touch(let phase, let x, let y, let pressure):
            pointer = place(x, y)
            tell(
                .touch(
                    SinkInput.TouchPhase(phase), x: pointer.x, y: pointer.y, pressure: Double(pressure)))
        case .key(let usage, let isDown):
            if typing.remove(usage) == nil || isDown { tell(.key(usage: usage, isDown: isDown)) }
        case .character(let character, let usage):
            typing.insert(usage)
            tell(.text(String(character)))
        case .text(let text): tell(.text(text))
        // An app's picture belongs to no monitor, and an app has no keyboard with lock keys or key repeat.
        case .monitor, .locks, .stopRepeating: break
        }
    }

    /// Converts a pixel's position to the normalised coordinates of the pixel's centre, each within 0...1.
    private func place(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
        let size = size.withLock { $0 }
        return ((Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
    }
}

extension SinkInput.Button {
    fileprivate init(_ button: PointerButton) {
        self =
            switch button {
            case .left: .left
            case .middle: .middle
            case .right: .right
            case .back: .back
            case .forward: .forward
            }
    }
}

extension SinkInput.TouchPhase {
    fileprivate init(_ phase: HelioControlWire.TouchPhase) {
        self =
            switch phase {
            case .down: .down
            case .move: .move
            case .up: .up
            case .cancelled: .cancelled
            }
    }
}
