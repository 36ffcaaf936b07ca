package import HelioCore

/// The injector of input into the screen that `LinuxSource` captures. The ways share this type, as a `SourcePlatform`
/// has only one type of injector.
package final class LinuxInjector: InputInjecting {
    private enum Kind {
        case x11(XTestInjector)
        case wlr(WlrInjector)
    }

    private let kind: Kind

    init(_ injector: XTestInjector) { kind = .x11(injector) }
    init(_ injector: WlrInjector) { kind = .wlr(injector) }

    package func follow(_ monitor: ScreenMonitor) {
        switch kind {
        case .x11(let injector): injector.follow(monitor)
        case .wlr(let injector): injector.follow(monitor)
        }
    }

    package func movePointer(toX x: Int, y: Int) {
        switch kind {
        case .x11(let injector): injector.movePointer(toX: x, y: y)
        case .wlr(let injector): injector.movePointer(toX: x, y: y)
        }
    }

    package func movePointer(byX dx: Int, y dy: Int) {
        switch kind {
        case .x11(let injector): injector.movePointer(byX: dx, y: dy)
        case .wlr(let injector): injector.movePointer(byX: dx, y: dy)
        }
    }

    package func button(_ button: PointerButton, isDown: Bool) {
        switch kind {
        case .x11(let injector): injector.button(button, isDown: isDown)
        case .wlr(let injector): injector.button(button, isDown: isDown)
        }
    }

    package func scroll(dx: Int, dy: Int) {
        switch kind {
        case .x11(let injector): injector.scroll(dx: dx, dy: dy)
        case .wlr(let injector): injector.scroll(dx: dx, dy: dy)
        }
    }

    package func key(usage: UInt16, isDown: Bool) {
        switch kind {
        case .x11(let injector): injector.key(usage: usage, isDown: isDown)
        case .wlr(let injector): injector.key(usage: usage, isDown: isDown)
        }
    }

    package func press(_ character: Unicode.Scalar, usage: UInt16) {
        switch kind {
        case .x11(let injector): injector.press(character, usage: usage)
        case .wlr(let injector): injector.press(character, usage: usage)
        }
    }

    package func type(_ text: String) {
        switch kind {
        case .x11(let injector): injector.type(text)
        case .wlr(let injector): injector.type(text)
        }
    }

    package func setLocks(_ locks: LockState) {
        switch kind {
        case .x11(let injector): injector.setLocks(locks)
        case .wlr(let injector): injector.setLocks(locks)
        }
    }

    package func stopRepeating() {
        switch kind {
        case .x11(let injector): injector.stopRepeating()
        case .wlr(let injector): injector.stopRepeating()
        }
    }

    package func flush() {
        switch kind {
        case .x11(let injector): injector.flush()
        case .wlr(let injector): injector.flush()
        }
    }
}
