/// A command for browser.py, as documented in its README.
struct BrowserCommand: Encodable {
    struct Point: Encodable {
        var id: Int
        var x: Double
        var y: Double
    }

    var `do`: String
    var page: Int?

    // page, look
    var context: String?
    var tab: Bool?
    var width: Int?
    var height: Int?
    var scale: Double?
    var mobile: Bool?
    var touch: Bool?
    var dark: Bool?

    // open, evaluate, until, before
    var url: String?
    var script: String?
    var seconds: Double?

    // mouse, key, touch
    var kind: String?
    var x: Double?
    var y: Double?
    var button: String?
    /// The pointer type: `mouse` if missing, or `pen`.
    var pointer: String?
    var clicks: Int?
    var dx: Double?
    var dy: Double?
    var code: String?
    var key: String?
    var number: Int?
    var location: Int?
    var `repeat`: Bool?
    var points: [Point]?
    /// The time of a touch in seconds since 1970; `nil` is now.
    var time: Double?

    // text, compose
    var text: String?

    // picture, screenshot
    var file: String?
    var selector: String?

    init(_ what: String, page: Int? = nil) {
        self.do = what
        self.page = page
    }

    static func page(_ look: PageLook, context: String) -> BrowserCommand {
        var command = BrowserCommand("page")
        command.context = context
        command.show(look)
        return command
    }

    static func tab(context: String) -> BrowserCommand {
        var command = BrowserCommand("page")
        command.context = context
        command.tab = true
        return command
    }

    mutating func show(_ look: PageLook) {
        (width, height, scale) = (look.width, look.height, look.scale)
        (mobile, touch, dark) = (look.mobile, look.touch, look.dark)
    }
}
