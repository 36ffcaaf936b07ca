/// The operating system of a host, which determines how a page labels its special keys.
public enum HostSystem: String, Hashable, Sendable, CaseIterable {
    case linux, macos, windows
}
