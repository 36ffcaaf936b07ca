package import HelioCore

/// The viewer that drives: a native viewer by its SSRC, or a browser by its connection.
package enum DrivingViewer: Sendable, Hashable {
    case session(SSRC)
    case browser(ConnectionID)
}
