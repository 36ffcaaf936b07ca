package import HelioCore

/// The viewer that drives: one of our own kind by its SSRC, or a browser's by its number.
package enum DrivingViewer: Sendable, Hashable {
    case session(SSRC)
    case browser(ConnectionID)
}
