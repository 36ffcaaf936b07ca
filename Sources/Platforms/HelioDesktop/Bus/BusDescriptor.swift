import Glibc
import Synchronization

/// A file descriptor that came by a bus; it is closed with this object unless it was taken.
package final class BusDescriptor: Sendable {
    private let descriptor: Mutex<Int32>

    init(taking descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { descriptor.withLock { if $0 >= 0 { close($0) } } }

    /// Returns the descriptor, which the caller closes from now on; -1 if it was taken before.
    package func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }
}
