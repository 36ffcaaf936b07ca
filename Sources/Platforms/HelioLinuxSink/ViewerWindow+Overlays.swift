internal import CSDL2
internal import HelioCore
internal import HelioWindow

/// The panels of text over the picture. The font is opened only when the first panel is shown.
struct OverlayState {
    var renderer: TextRenderer?
    var hasTriedRenderer = false
    var waitingText = ""
    var waiting: OverlayLayer?
    var statistics: OverlayLayer?
    var statisticsLines: [String]?
    var message: OverlayLayer?
    var messageText: String?
    /// The window's width, in pixels, for which the message was broken into lines.
    var messageWidth = 0
    var help: OverlayLayer?
}

extension ViewerWindow {
    /// Sets the lines of statistics at the top left; `nil` removes them.
    package func setStatistics(_ lines: [String]?) {
        if lines == overlays.statisticsLines { return }
        overlays.statisticsLines = lines
        replace(\.statistics, with: lines)
    }

    /// Sets the line at the bottom, such as 'Connection lost, reconnecting'; `nil` removes it.
    package func setMessage(_ text: String?) {
        if text == overlays.messageText { return }
        overlays.messageText = text
        wrapMessage()
    }

    private func wrapMessage() {
        overlays.messageWidth = layout.window.width
        replace(\.message, with: overlays.messageText.map { wrap($0) })
    }

    private func wrap(_ text: String) -> [String] {
        textRenderer?.wrap(text, width: layout.window.width - 32) ?? [text]
    }

    /// Sets the text that is shown until the first picture.
    package func setWaitingText(_ text: String) {
        overlays.waitingText = text
        replace(\.waiting, with: nil)
        placeOverlays()
    }

    package var isHelpVisible: Bool { overlays.help != nil }

    package func setHelpVisible(_ isOn: Bool) {
        if isOn != isHelpVisible { replace(\.help, with: isOn ? WindowCommand.help : nil) }
    }

    /// Positions the panels for the window's present size.
    func placeOverlays() {
        if picture != nil {
            replace(\.waiting, with: nil)
        } else if overlays.waiting == nil, !overlays.waitingText.isEmpty {
            overlays.waiting = render([overlays.waitingText])
        }
        let window = layout.window
        if overlays.message != nil, overlays.messageWidth != window.width { return wrapMessage() }
        for layer in [overlays.waiting, overlays.help, overlays.message, overlays.statistics] {
            guard let layer else { continue }
            invalidate(layer.frame)
            let frame = layer.frame
            if layer === overlays.statistics {
                (layer.x, layer.y) = (8, 8)
            } else {
                layer.x = (window.width - frame.width) / 2
                let room = window.height - frame.height
                layer.y = layer === overlays.message ? max(0, room - 24) : room / 2
            }
            invalidate(layer.frame)
        }
    }

    private func replace(_ path: WritableKeyPath<OverlayState, OverlayLayer?>, with lines: [String]?) {
        if let old = overlays[keyPath: path] { invalidate(old.frame) }
        overlays[keyPath: path] = lines.flatMap { render($0) }
        if overlays[keyPath: path] != nil { placeOverlays() }
    }

    private var textRenderer: TextRenderer? {
        if !overlays.hasTriedRenderer {
            overlays.hasTriedRenderer = true
            overlays.renderer = TextRenderer(pointSize: Int32((15 * pixelsPerPoint).rounded()))
        }
        return overlays.renderer
    }

    private func render(_ lines: [String]) -> OverlayLayer? {
        textRenderer?.render(lines).map { OverlayLayer(owning: $0) }
    }
}
