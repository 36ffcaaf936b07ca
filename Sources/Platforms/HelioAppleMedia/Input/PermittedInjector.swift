package import HelioCore

/// An injector that needs the user's permission: while it is missing, input is dropped and counted, so viewers can only
/// watch. The permission is checked again with each input, at most once per second, so that no restart is needed.
package final class PermittedInjector<Inner: InputInjecting>: InputInjecting {
    /// The number of inputs dropped for lack of the permission.
    package private(set) var dropped = 0

    private let system: any PermissionAsking
    private let clock: () -> Instant
    private let make: () -> Inner
    private var flow = PermissionFlow(.accessibility)
    private var inner: Inner?
    private var monitor: ScreenMonitor?

    /// Makes an injector. If the permission is missing, the system prompts the user for it.
    ///
    /// - Parameter make: makes the real injector; called once, when the permission is granted.
    package init(_ system: any PermissionAsking, clock: @escaping () -> Instant, make: @escaping () -> Inner) {
        self.system = system
        self.clock = clock
        self.make = make
        look()
    }

    /// The explanation for the user while the permission is missing; otherwise `nil`.
    package var refusal: HelioError? { flow.refusal }

    private func look() {
        _ = flow.look(system, now: clock())
        guard flow.state == .granted else { return }
        let made = make()
        if let monitor { made.follow(monitor) }
        inner = made
    }

    private func pass(_ body: (Inner) -> Void) {
        if inner == nil, let deadline = flow.deadline, deadline <= clock() { look() }
        if let inner { body(inner) } else { dropped += 1 }
    }

    package func follow(_ monitor: ScreenMonitor) {
        self.monitor = monitor
        inner?.follow(monitor)
    }

    package func flush() { inner?.flush() }

    package func movePointer(toX x: Int, y: Int) { pass { $0.movePointer(toX: x, y: y) } }
    package func movePointer(byX dx: Int, y dy: Int) { pass { $0.movePointer(byX: dx, y: dy) } }
    package func button(_ button: PointerButton, isDown: Bool) { pass { $0.button(button, isDown: isDown) } }
    package func scroll(dx: Int, dy: Int) { pass { $0.scroll(dx: dx, dy: dy) } }
    package func key(usage: UInt16, isDown: Bool) { pass { $0.key(usage: usage, isDown: isDown) } }
    package func press(_ character: Unicode.Scalar, usage: UInt16) { pass { $0.press(character, usage: usage) } }
    package func setLocks(_ locks: LockState) { pass { $0.setLocks(locks) } }
    package func stopRepeating() { pass { $0.stopRepeating() } }
    package func type(_ text: String) { pass { $0.type(text) } }
}

/// The injector type of a system on which no app may send input to other apps: no instance can be made.
package final class NoInjector: InputInjecting {
    private init() {}

    /// Throws `unsupported` on every call, with an explanation for the user.
    package static func open() throws(HelioError) -> NoInjector {
        throw HelioError(
            .unsupported, "No app can give input to an iPhone or iPad: who watches this screen can only watch.")
    }

    package func follow(_: ScreenMonitor) {}
    package func movePointer(toX _: Int, y _: Int) {}
    package func movePointer(byX _: Int, y _: Int) {}
    package func button(_: PointerButton, isDown _: Bool) {}
    package func scroll(dx _: Int, dy _: Int) {}
    package func key(usage _: UInt16, isDown _: Bool) {}
    package func type(_: String) {}
    package func flush() {}
}
