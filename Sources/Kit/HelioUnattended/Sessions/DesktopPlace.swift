/// A desktop that can be shared: the environment variables that lead to it.
package struct DesktopPlace: Sendable, Hashable {
    /// The description for the log.
    package var title: String
    package var environment: [String: String]

    package init(title: String, environment: [String: String]) {
        self.title = title
        self.environment = environment
    }

    /// Returns whether both lead to the same desktop, by the same key. Other variables differ as programs come and go.
    func isSame(as other: DesktopPlace) -> Bool {
        ["DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_SESSION_ID", "XDG_RUNTIME_DIR"].allSatisfy {
            environment[$0] == other.environment[$0]
        }
    }
}

/// The outcome of looking for a desktop.
package enum DesktopSearch: Sendable, Hashable {
    case found(DesktopPlace)
    /// No desktop that this service shares now; the reason is a sentence.
    case none(String)

    package var place: DesktopPlace? { if case .found(let place) = self { place } else { nil } }
}
