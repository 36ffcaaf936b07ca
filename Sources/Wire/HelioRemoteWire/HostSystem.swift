/// The system of a host, by which a page labels its special keys.
package enum HostSystem: String, Hashable, Sendable, CaseIterable {
    case linux, macos, windows
}
