internal import HelioAppleMedia
internal import HelioCore

/// An app's view as the place of a picture: the app's run loop runs anyway.
final class AppleViewPlace: AppleWindowPlace {
    let model: WindowModel<AppleSurface>
    private weak var view: ApplePictureView?

    init(view: ApplePictureView, model: WindowModel<AppleSurface>) {
        self.model = model
        self.view = view
    }

    /// `nil`: the rate is learnt from the display link.
    var screenRate: Int? { nil }
    func wait(until: Instant?) -> [WindowEvent] { model.takeEvents() }
    func wake() { view?.onEvents?() }
    /// Does nothing: the app's windows have titles of their own.
    func setTitle(_ title: String) {}
}
