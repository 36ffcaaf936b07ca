package import Dispatch
internal import HelioCore

/// A serial executor for a device's callbacks, the system's events and this process's calls, so that no buffer is freed
/// while it is being filled.
package protocol SerialRunner: Sendable {
    /// Runs `body`, and waits until it has finished. Must not be called on the runner itself.
    func sync(_ body: () -> Void)
    func async(_ body: @escaping @Sendable () -> Void)
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// A serial runner on a dispatch queue, which Apple's frameworks can use for their callbacks.
package struct DispatchRunner: SerialRunner {
    package let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInteractive) }

    package func sync(_ body: () -> Void) { queue.sync(execute: body) }
    package func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay.nanoseconds)), execute: body)
    }
}
