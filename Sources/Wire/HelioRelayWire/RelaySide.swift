/// An end of a relay (requirement row 134): the extension connects, the app listens.
package enum RelaySide: Sendable, Hashable {
    case broadcastExtension
    case app
}
