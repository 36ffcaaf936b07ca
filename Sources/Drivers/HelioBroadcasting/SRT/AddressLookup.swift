import HelioGround
private import Synchronization

/// Looks up a host's addresses on a thread of its own, because a call of the system's resolver can't be cancelled.
final class AddressLookup: Sendable {
    private let result = Mutex<[[UInt8]]?>(nil)

    /// - Parameter wakeup: signalled when the lookup is done.
    init(_ host: String, port: UInt16, isPassive: Bool, _ wakeup: Wakeup) {
        WorkerThread(name: "srt-lookup") { [self] in
            let found = SocketAddresses.resolve(host, port: port, isPassive: isPassive)
            result.withLock { $0 = found }
            wakeup.signal()
        }
    }

    /// The addresses, each as the bytes of a `sockaddr`; empty for an unknown name, `nil` during the lookup.
    var addresses: [[UInt8]]? { result.withLock { $0 } }
}
