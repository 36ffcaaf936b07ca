import CXCB
import HelioCore

/// The format of the pixels of an X server's root window, and their conversion to B, G, R, X bytes.
///
/// A pixel is an integer of 2, 3 or 4 bytes. Three masks select the bits of red, green and blue (X11 protocol, "visual
/// types"): usually 8 bits per channel, 10 at a depth of 30, and 5 or 6 at depths of 15 and 16.
struct X11PixelFormat {
    /// The colour bits of a pixel: the root window's depth.
    let depth: UInt8
    /// The number of bytes per pixel in an image: 2, 3 or 4.
    let bytesPerPixel: Int
    private let isLittleEndian: Bool
    /// The padding unit of an image's rows, in bytes.
    private let rowUnit: Int
    private let red: Channel
    private let green: Channel
    private let blue: Channel

    /// A colour channel of a pixel: its bits, and a table from its values to 8-bit values.
    private struct Channel {
        let mask: UInt32
        let shift: UInt32
        let values: [UInt8]

        /// Fails if the mask is empty, has gaps, or has more than 12 bits.
        init?(mask: UInt32) {
            let most = mask == 0 ? 0 : mask >> UInt32(mask.trailingZeroBitCount)
            guard most > 0, most & (most + 1) == 0, most < 4096 else { return nil }
            self.mask = mask
            shift = UInt32(mask.trailingZeroBitCount)
            values = (0...most).map { UInt8(($0 * 255 + most / 2) / most) }
        }
    }

    /// Makes a format; `nil` if its pixels can't be converted.
    ///
    /// - Parameters:
    ///   - bitsPerPixel, rowBits: from the server's image format; a row is padded to a multiple of `rowBits`.
    ///   - masks: the masks of red, green and blue.
    init?(
        depth: UInt8, bitsPerPixel: Int, rowBits: Int, isLittleEndian: Bool, masks: (UInt32, UInt32, UInt32)
    ) {
        guard [16, 24, 32].contains(bitsPerPixel), rowBits >= 8, rowBits % 8 == 0, let red = Channel(mask: masks.0),
            let green = Channel(mask: masks.1), let blue = Channel(mask: masks.2)
        else { return nil }
        self.depth = depth
        bytesPerPixel = bitsPerPixel / 8
        rowUnit = rowBits / 8
        self.isLittleEndian = isLittleEndian
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Reads the format of the root window.
    ///
    /// Throws `captureFailed`, with advice, if it can't be converted: a palette, or shades of grey.
    init(_ x: X11Connection) throws(HelioError) {
        guard let setup = xcb_get_setup(x.raw) else { throw x.lost }
        var formats = xcb_setup_pixmap_formats_iterator(setup)
        var image: xcb_format_t?
        while formats.rem > 0 {
            if formats.data.pointee.depth == x.screen.root_depth { image = formats.data.pointee }
            xcb_format_next(&formats)
        }
        // The iterator walks the setup's own memory, so it can't start from a copy of the screen.
        var roots = xcb_setup_roots_iterator(setup)
        while roots.rem > 1, roots.data.pointee.root != x.root { xcb_screen_next(&roots) }
        var visual: xcb_visualtype_t?
        var depths = xcb_screen_allowed_depths_iterator(roots.data)
        while depths.rem > 0 {
            var visuals = xcb_depth_visuals_iterator(depths.data)
            while visuals.rem > 0 {
                if visuals.data.pointee.visual_id == x.screen.root_visual { visual = visuals.data.pointee }
                xcb_visualtype_next(&visuals)
            }
            xcb_depth_next(&depths)
        }
        let hasColours = [XCB_VISUAL_CLASS_TRUE_COLOR.rawValue, XCB_VISUAL_CLASS_DIRECT_COLOR.rawValue]
        guard let image, let visual, hasColours.contains(UInt32(visual._class)),
            let format = X11PixelFormat(
                depth: image.depth, bitsPerPixel: Int(image.bits_per_pixel), rowBits: Int(image.scanline_pad),
                isLittleEndian: setup.pointee.image_byte_order == UInt8(XCB_IMAGE_ORDER_LSB_FIRST.rawValue),
                masks: (visual.red_mask, visual.green_mask, visual.blue_mask))
        else {
            throw HelioError(
                .captureFailed,
                "The X display \(x.displayName) has \(x.screen.root_depth) bits a pixel in a form that can't be shared "
                    + "(a palette or shades of grey). Start it with 24 bits: 'DefaultDepth 24' in Xorg's configuration, "
                    + "'-depth 24' for a VNC server, '-screen 0 1280x720x24' for Xvfb.")
        }
        self = format
    }

    /// True if pixels are B, G, R, X bytes, which need no conversion.
    var isBGRX: Bool {
        bytesPerPixel == 4 && isLittleEndian && (red.mask, green.mask, blue.mask) == (0xFF0000, 0xFF00, 0xFF)
    }

    /// Returns the size in bytes of an image's row, padding included.
    func rowBytes(_ width: Int) -> Int { (width * bytesPerPixel + rowUnit - 1) / rowUnit * rowUnit }

    /// The mask of a pixel's colour bits, all channels.
    var colours: UInt32 { red.mask | green.mask | blue.mask }

    /// Reads the pixel at `bytes` as an integer, in the server's byte order.
    func pixel(at bytes: UnsafePointer<UInt8>) -> UInt32 {
        var value: UInt32 = 0
        for i in 0..<bytesPerPixel {
            let place = isLittleEndian ? i : bytesPerPixel - 1 - i
            value |= UInt32(bytes[i]) << UInt32(place * 8)
        }
        return value
    }

    /// Converts an image of this format.
    ///
    /// - Parameters:
    ///   - stride: the distance of rows in `source`, in bytes.
    ///   - target: space for `height` rows of `targetStride` bytes; each pixel is written as B, G, R and X.
    func convert(
        _ source: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, to target: UnsafeMutablePointer<UInt8>,
        targetStride: Int
    ) {
        red.values.withUnsafeBufferPointer { reds in
            green.values.withUnsafeBufferPointer { greens in
                blue.values.withUnsafeBufferPointer { blues in
                    for y in 0..<height {
                        var from = source + y * stride
                        var to = target + y * targetStride
                        for _ in 0..<width {
                            let value = pixel(at: from)
                            to[0] = blues[Int((value & blue.mask) >> blue.shift)]
                            to[1] = greens[Int((value & green.mask) >> green.shift)]
                            to[2] = reds[Int((value & red.mask) >> red.shift)]
                            to[3] = 0
                            from += bytesPerPixel
                            to += 4
                        }
                    }
                }
            }
        }
    }
}
