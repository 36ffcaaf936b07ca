/// A serial executor for the callbacks of a device, the system's events and this program's calls, so that nothing is
/// freed while it is being filled.
package protocol SerialRunner: Sendable {
    /// Runs `body`, and waits until it is done. Not from within the runner.
    func sync(_ body: () -> Void)
    func async(_ body: @escaping @Sendable () -> Void)
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void)
}
