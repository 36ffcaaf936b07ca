/// The viewport of a page.
struct PageLook {
    var width: Int
    var height: Int
    /// The device pixels per CSS pixel.
    var scale = 1.0
    var mobile = false
    var touch = false
    var dark = false

    static let desktop = PageLook(width: 1280, height: 800)
    static let phone = PageLook(width: 390, height: 844, scale: 3, mobile: true, touch: true)
}
