internal import HelioAppleMedia
internal import HelioCore

/// A view of an app's as the place of a picture: the app's run loop has its turn anyway.
final class AppleViewPlace: AppleWindowPlace {
    let model: WindowModel<AppleSurface>
    private weak var view: ApplePictureView?

    init(view: ApplePictureView, model: WindowModel<AppleSurface>) {
        self.model = model
        self.view = view
    }

    /// The display link tells it.
    var screenRate: Int? { nil }
    func wait(until: Instant?) -> [WindowEvent] { model.takeEvents() }
    func wake() { view?.onEvents?() }
    /// The app's windows have titles of their own.
    func setTitle(_ title: String) {}
}
