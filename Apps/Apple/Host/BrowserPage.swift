import HelioHostFlow
import Observation

/// The link by which the next browser watches this Mac; it changes with each code that has been used.
@MainActor @Observable
final class BrowserPage {
    /// The link, including the secret; `nil` while nothing is shared.
    private(set) var link: String?
    @ObservationIgnored private weak var sharing: MirrorSharing?

    func follow(_ sharing: MirrorSharing) { self.sharing = sharing }

    /// Reads the link again; called with each change of the menu.
    func refresh() {
        guard let sharing else {
            link = nil
            return
        }
        Task {
            let fresh = await sharing.browserLink
            if fresh != link { link = fresh }
        }
    }
}
