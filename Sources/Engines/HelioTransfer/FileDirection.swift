/// Whether files go from here or come here.
package enum FileDirection: Hashable, Sendable {
    case sending
    case receiving
}
