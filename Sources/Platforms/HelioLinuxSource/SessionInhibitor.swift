import CSessionBus
import Glibc
import Synchronization

/// Inhibits the desktop's screen blanking and locking, by D-Bus, until this object or the process ends.
///
/// The bus is called on a separate thread, as the bus may be slow to answer. A failed call is ignored.
final class SessionInhibitor: Sendable {
    /// Returns the address of the session's bus; `nil` if there is none.
    ///
    /// - Parameter variable: returns an environment variable by its name.
    static func busAddress(_ variable: (String) -> String?) -> String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
        guard let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
        let path = folder + "/bus"
        return access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
    }

    /// The state that the thread shares with the object, which may be released before the thread ends.
    private final class Shared: Sendable {
        /// The connection's address (an integer, as pointers are not `Sendable`), `nil` until it is made; and whether
        /// the object has ended.
        let state = Mutex<(connection: UInt?, isOver: Bool)>((nil, false))
    }

    private final class Start {
        let shared: Shared
        let address: String

        init(_ shared: Shared, _ address: String) { (self.shared, self.address) = (shared, address) }

        func run() {
            guard
                let made = helio_session_inhibit(
                    address, "Heliograph", "Somebody watches this screen from another device")
            else { return }
            let isOver = shared.state.withLock { state -> Bool in
                if !state.isOver { state.connection = UInt(bitPattern: made) }
                return state.isOver
            }
            if isOver { helio_session_release(made) }
        }
    }

    private let shared = Shared()

    /// Starts the thread; `nil` if there is no bus or the thread can't be created.
    ///
    /// - Parameter address: the bus's address; `nil` for the bus of this process's session.
    init?(address: String? = nil) {
        guard let address = address ?? Self.busAddress(ProcessVariable.value) else { return nil }
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(shared, address))
        let failure = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        if failure != 0 {
            start.release()
            return nil
        }
        pthread_detach(thread)
    }

    deinit {
        let connection = shared.state.withLock { state -> UInt? in
            state.isOver = true
            return state.connection.take()
        }
        guard let connection, let made = UnsafeMutablePointer<helio_session_inhibitor>(bitPattern: connection) else {
            return
        }
        helio_session_release(made)
    }
}
