internal import HelioAppleMedia
internal import HelioCore

/// The place of a picture in an app's view; `wait` returns at once, as the app runs its own run loop.
final class AppleViewPlace: AppleWindowPlace {
    let model: WindowModel<AppleSurface>
    private weak var view: ApplePictureView?

    init(view: ApplePictureView, model: WindowModel<AppleSurface>) {
        self.model = model
        self.view = view
    }

    /// The screen's refresh rate: `nil`, as the display link measures it.
    var screenRate: Int? { nil }
    func wait(until: Instant?) -> [WindowEvent] { model.takeEvents() }
    func wake() { view?.onEvents?() }
    /// Ignores the title, as the app sets its windows' titles.
    func setTitle(_ title: String) {}
}
