import Glibc
package import HelioCore

/// The bus of the user's session.
package enum SessionBus {
    /// The address of the bus: `$DBUS_SESSION_BUS_ADDRESS`, or the socket of that name in `$XDG_RUNTIME_DIR`; `nil` if
    /// there is none.
    package static func addresses(_ variable: (String) -> String?) -> String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
        guard let folder = variable("XDG_RUNTIME_DIR"), !folder.isEmpty, access(folder + "/bus", F_OK) == 0 else {
            return nil
        }
        return "unix:path=\(folder)/bus"
    }

    /// Connects to the bus. Throws `captureFailed`.
    package static func connect(_ variable: (String) -> String?) throws(HelioError) -> BusConnection {
        guard let addresses = addresses(variable) else {
            throw HelioError(
                .captureFailed,
                "This process has no D-Bus of a session, by which the desktop is asked for its screen: start it in the "
                    + "session, or as a service of the user.")
        }
        do throws(HelioError) {
            return try BusConnection(addresses: addresses)
        } catch {
            throw HelioError(.captureFailed, error.message)
        }
    }
}
