/// The direction of files, as seen from this end.
package enum FileDirection: Hashable, Sendable {
    case sending
    case receiving
}
