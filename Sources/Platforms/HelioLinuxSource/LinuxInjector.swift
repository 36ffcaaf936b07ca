package import HelioCore
internal import HelioGround

/// The injector of input into the screen that `LinuxSource` captures. The ways share this type, as a `SourcePlatform`
/// has only one type of injector.
///
/// A compositor ends the connection of a program that has not read its events for long, as while no viewer drives the
/// screen, and that of one whose requests it could not read for long. Input then goes on by a new connection.
package final class LinuxInjector: InputInjecting {
    private enum Kind {
        case x11(XTestInjector)
        case wlr(WlrInjector)
        case desktop(DesktopInjector)
    }

    private var kind: Kind
    /// Makes another injector for the same compositor.
    private let reopen: () throws(HelioError) -> WlrInjector
    private var followed: ScreenMonitor?
    private var nextTry = Instant.zero

    /// The pause after an attempt to connect to the compositor anew, which may block input for some seconds.
    private static let pause = Duration.seconds(10)

    init(_ injector: XTestInjector) {
        kind = .x11(injector)
        reopen = { () throws(HelioError) in throw HelioError(.unsupported, "An X server has no compositor.") }
    }

    /// - Parameter reopen: makes another injector when the connection of this one has ended.
    init(_ injector: WlrInjector, reopen: @escaping () throws(HelioError) -> WlrInjector) {
        kind = .wlr(injector)
        self.reopen = reopen
    }

    init(_ injector: DesktopInjector) {
        kind = .desktop(injector)
        reopen = { () throws(HelioError) in
            throw HelioError(.unsupported, "This desktop is no compositor of that kind.")
        }
    }

    package func follow(_ monitor: ScreenMonitor) {
        followed = monitor
        switch kind {
        case .x11(let injector): injector.follow(monitor)
        case .wlr(let injector):
            injector.follow(monitor)
            if injector.hasFailed { replace() }
        case .desktop(let injector): injector.follow(monitor)
        }
    }

    /// Replaces an injector whose connection has ended. What was pressed is up, as the compositor lets go of it.
    private func replace() {
        let now = MonotonicClock.now
        guard now >= nextTry else { return }
        let opened = try? reopen()
        nextTry = MonotonicClock.now + Self.pause
        guard let opened else { return }
        if let followed { opened.follow(followed) }
        kind = .wlr(opened)
    }

    package func movePointer(toX x: Int, y: Int) {
        switch kind {
        case .x11(let injector): injector.movePointer(toX: x, y: y)
        case .wlr(let injector): injector.movePointer(toX: x, y: y)
        case .desktop(let injector): injector.movePointer(toX: x, y: y)
        }
    }

    package func movePointer(byX dx: Int, y dy: Int) {
        switch kind {
        case .x11(let injector): injector.movePointer(byX: dx, y: dy)
        case .wlr(let injector): injector.movePointer(byX: dx, y: dy)
        case .desktop(let injector): injector.movePointer(byX: dx, y: dy)
        }
    }

    package func button(_ button: PointerButton, isDown: Bool) {
        switch kind {
        case .x11(let injector): injector.button(button, isDown: isDown)
        case .wlr(let injector): injector.button(button, isDown: isDown)
        case .desktop(let injector): injector.button(button, isDown: isDown)
        }
    }

    package func scroll(dx: Int, dy: Int) {
        switch kind {
        case .x11(let injector): injector.scroll(dx: dx, dy: dy)
        case .wlr(let injector): injector.scroll(dx: dx, dy: dy)
        case .desktop(let injector): injector.scroll(dx: dx, dy: dy)
        }
    }

    package func key(usage: UInt16, isDown: Bool) {
        switch kind {
        case .x11(let injector): injector.key(usage: usage, isDown: isDown)
        case .wlr(let injector): injector.key(usage: usage, isDown: isDown)
        case .desktop(let injector): injector.key(usage: usage, isDown: isDown)
        }
    }

    package func press(_ character: Unicode.Scalar, usage: UInt16) {
        switch kind {
        case .x11(let injector): injector.press(character, usage: usage)
        case .wlr(let injector): injector.press(character, usage: usage)
        case .desktop(let injector): injector.press(character, usage: usage)
        }
    }

    package func type(_ text: String) {
        switch kind {
        case .x11(let injector): injector.type(text)
        case .wlr(let injector): injector.type(text)
        case .desktop(let injector): injector.type(text)
        }
    }

    package func setLocks(_ locks: LockState) {
        switch kind {
        case .x11(let injector): injector.setLocks(locks)
        case .wlr(let injector): injector.setLocks(locks)
        case .desktop(let injector): injector.setLocks(locks)
        }
    }

    package func stopRepeating() {
        switch kind {
        case .x11(let injector): injector.stopRepeating()
        case .wlr(let injector): injector.stopRepeating()
        case .desktop(let injector): injector.stopRepeating()
        }
    }

    package func flush() {
        switch kind {
        case .x11(let injector): injector.flush()
        case .wlr(let injector):
            injector.flush()
            if injector.hasFailed { replace() }
        case .desktop(let injector): injector.flush()
        }
    }
}
