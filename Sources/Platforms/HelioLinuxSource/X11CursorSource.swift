import CXCB
import Glibc
package import HelioCore

/// The pointer of an X server: XFIXES reports changes of its shape, and a query gives its position.
///
/// This class has its own connection to the X server, so that the transfer of pixels does not delay the pointer's
/// events.
package final class X11CursorSource: CursorSource {
    private let x: X11Connection
    private let capture: X11ScreenCapture
    private let firstEvent: UInt8?
    private var shapeChanged: Bool
    private var last: (x: Int, y: Int)?

    /// - Parameter capture: the captured screen; positions are relative to its present area.
    package init(_ capture: X11ScreenCapture) throws(HelioError) {
        x = try X11Connection(display: capture.x.displayName.isEmpty ? nil : capture.x.displayName)
        self.capture = capture
        firstEvent = x.firstEvent(of: HELIO_XFIXES)
        shapeChanged = firstEvent != nil
        if firstEvent != nil {
            free(try x.reply { xcb_xfixes_query_version_reply(x.raw, xcb_xfixes_query_version(x.raw, 4, 0), $0) })
            xcb_xfixes_select_cursor_input(
                x.raw, x.root, UInt32(XCB_XFIXES_CURSOR_NOTIFY_MASK_DISPLAY_CURSOR.rawValue))
            xcb_flush(x.raw)
        }
    }

    package func takeShape() throws(HelioError) -> CursorShape? {
        while let event = try x.nextEvent() {
            if let firstEvent, event.pointee.response_type & 0x7F == firstEvent + UInt8(XCB_XFIXES_CURSOR_NOTIFY) {
                shapeChanged = true
            }
            free(event)
        }
        if !shapeChanged { return nil }
        shapeChanged = false
        guard
            let reply = try x.reply({
                xcb_xfixes_get_cursor_image_reply(x.raw, xcb_xfixes_get_cursor_image(x.raw), $0)
            })
        else { return nil }
        defer { free(reply) }
        let size = PixelSize(width: Int(reply.pointee.width), height: Int(reply.pointee.height))
        let count = Int(xcb_xfixes_get_cursor_image_cursor_image_length(reply))
        guard let pixels = xcb_xfixes_get_cursor_image_cursor_image(reply), count >= size.area else { return nil }
        return CursorShape(
            size: size, hotspotX: Int(reply.pointee.xhot), hotspotY: Int(reply.pointee.yhot),
            rgba: Self.straight(UnsafeBufferPointer(start: pixels, count: size.area)))
    }

    package func takePosition() throws(HelioError) -> (x: Int, y: Int)? {
        guard let reply = try x.reply({ xcb_query_pointer_reply(x.raw, xcb_query_pointer(x.raw, x.root), $0) }) else {
            return nil
        }
        defer { free(reply) }
        let area = capture.area
        let now = (x: Int(reply.pointee.root_x) - area.x, y: Int(reply.pointee.root_y) - area.y)
        guard reply.pointee.same_screen != 0, now.x >= 0, now.y >= 0, now.x < area.width, now.y < area.height else {
            last = nil
            return nil
        }
        if let last, last == now { return nil }
        last = now
        return now
    }

    package var isOnScreen: Bool { last != nil }

    /// Converts premultiplied 0xAARRGGBB to straight R, G, B, A bytes.
    static func straight(_ pixels: UnsafeBufferPointer<UInt32>) -> [UInt8] {
        var rgba: [UInt8] = []
        rgba.reserveCapacity(pixels.count * 4)
        for pixel in pixels {
            let alpha = pixel >> 24
            for shift: UInt32 in [16, 8, 0] {
                let channel = pixel >> shift & 0xFF
                rgba.append(alpha == 0 ? 0 : UInt8(min(255, (channel * 255 + alpha / 2) / alpha)))
            }
            rgba.append(UInt8(alpha))
        }
        return rgba
    }
}
