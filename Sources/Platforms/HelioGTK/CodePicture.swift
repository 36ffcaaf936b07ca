internal import CGTK
internal import CQREncode

/// A QR code, always black on white.
package final class CodePicture: Widget {
    /// The pixels of a module in the texture, which is scaled down to the widget's size.
    private static let scale = 8
    /// The width in modules of the empty margin that QR readers need on each side (ISO/IEC 18004).
    private static let quietZone = 4

    package init(size: Int) {
        super.init(gtk_image_new())
        gtk_image_set_pixel_size(opaque, Int32(size))
        place(across: .center, down: .center)
    }

    /// Shows the code of a text; nothing if the text is empty or too long for a code.
    ///
    /// - Parameter name: said by screen readers.
    package func show(_ text: String, name: String) {
        setName(name)
        guard !text.isEmpty, let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else {
            return gtk_image_clear(opaque)
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return }
        let all = width + 2 * Self.quietZone
        let side = all * Self.scale
        var pixels = [UInt8](repeating: 255, count: side * side * 3)
        for y in 0..<width {
            for x in 0..<width where modules[y * width + x] & 1 == 1 {
                for line in 0..<Self.scale {
                    let start = ((y + Self.quietZone) * Self.scale + line) * side + (x + Self.quietZone) * Self.scale
                    for byte in start * 3..<(start + Self.scale) * 3 { pixels[byte] = 0 }
                }
            }
        }
        let bytes = g_bytes_new(pixels, UInt(pixels.count))
        let texture = gdk_memory_texture_new(Int32(side), Int32(side), GDK_MEMORY_R8G8B8, bytes, UInt(side * 3))
        gtk_image_set_from_paintable(opaque, texture)
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
        g_bytes_unref(bytes)
    }
}
