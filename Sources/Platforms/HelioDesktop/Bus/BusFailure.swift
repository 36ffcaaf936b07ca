package import HelioCore

/// The failure of a call on a bus.
package struct BusFailure: Error, Sendable, Hashable {
    /// The error's name: the other program's, the bus's, or one of those below.
    package var name: String
    package var text: String

    /// The name for a call that was not answered in time.
    package static let timedOut = "org.freedesktop.DBus.Error.NoReply"
    /// The name for a connection that has ended.
    package static let disconnected = "org.freedesktop.DBus.Error.Disconnected"
    /// The name for an answer with other arguments than the interface says.
    package static let unexpected = "org.freedesktop.DBus.Error.InvalidSignature"

    package init(_ name: String, _ text: String) {
        self.name = name
        // An error's text is another program's: a line of it is enough.
        self.text = String(text.prefix(200)).replacing("\n", with: " ")
    }

    /// True if no program offers the called service, object, interface or method.
    package var isMissing: Bool {
        [
            "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
            "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownInterface",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
        ].contains(name)
    }

    /// Returns the error for the user.
    ///
    /// - Parameter sentence: what has failed, without a full stop.
    package func error(_ kind: HelioError.Code, _ sentence: String) -> HelioError {
        HelioError(kind, "\(sentence): \(text.isEmpty ? name : text.trimmedStop).")
    }
}

extension String {
    fileprivate var trimmedStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
