package import Dispatch
internal import HelioCore

/// A serial runner on a dispatch queue, which Apple's frameworks call back on.
package struct DispatchRunner: SerialRunner {
    package let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInteractive) }

    package func sync(_ body: () -> Void) { queue.sync(execute: body) }
    package func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay.nanoseconds)), execute: body)
    }
}
