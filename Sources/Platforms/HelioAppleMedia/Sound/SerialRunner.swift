/// The one place where a device's callbacks, the system's news and our calls happen, one after the other: nothing is
/// freed while it is filled.
package protocol SerialRunner: Sendable {
    /// Waits until it was done. Not from within the runner.
    func sync(_ body: () -> Void)
    func async(_ body: @escaping @Sendable () -> Void)
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void)
}
