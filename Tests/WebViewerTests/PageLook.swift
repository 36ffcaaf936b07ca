/// How a page is seen.
struct PageLook {
    var width: Int
    var height: Int
    /// Pixels of the screen in one of the page.
    var scale = 1.0
    var mobile = false
    var touch = false
    var dark = false

    static let desktop = PageLook(width: 1280, height: 800)
    static let phone = PageLook(width: 390, height: 844, scale: 3, mobile: true, touch: true)
}
