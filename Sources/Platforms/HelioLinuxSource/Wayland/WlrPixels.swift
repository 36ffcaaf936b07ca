import HelioCore
internal import HelioWayland

/// Reads pixels of a compositor's picture as B, G, R, X bytes, in the order in which they are seen.
struct WlrPixels {
    /// The pointer to draw into them; `nil` for none.
    var pointer: DrawnPointer?
    /// The buffers for pixels that are turned, converted, or extended beyond the picture's edge.
    private var turned: [UInt8] = []
    private var converted: [UInt8] = []

    /// Passes the pixels of a rectangle to `use`, with the distance of rows in bytes: those in memory if they need no
    /// change, else a copy.
    ///
    /// - Parameter rect: in pixels as they are seen. If it extends beyond the picture (pictures have even sides), the
    ///   last column and row are repeated.
    mutating func take(
        _ rect: PixelRect, of picture: SharedPicture, _ transform: OutputTransform,
        use: (UnsafePointer<UInt8>, Int) -> Void
    ) {
        let seen = transform.seen(PixelRect(picture.size), of: picture.size)
        let inside = rect.intersection(seen)
        let part =
            inside.isEmpty
            ? PixelRect(
                x: min(rect.x, seen.width - 1), y: min(rect.y, seen.height - 1), width: max(1, inside.width),
                height: max(1, inside.height))
            : inside
        let bytes = picture.format.bytesPerPixel
        let place = Self.place(picture, transform)
        let start = place(part.x, part.y)
        let (across, down) = (place(part.x + 1, part.y) - start, place(part.x, part.y + 1) - start)
        let source = picture.pixels + start
        let isDrawn = pointer.map { !$0.rect.intersection(rect).isEmpty } ?? false
        if across == bytes, picture.format.isBGRX, down > 0, part.size == rect.size, !isDrawn {
            return use(source, down)
        }

        if converted.count < rect.area * 4 { converted = [UInt8](repeating: 0, count: rect.area * 4) }
        if across != bytes { turn(source, across, down, part.size, bytes) }
        converted.withUnsafeMutableBufferPointer { buffer in
            guard let target = buffer.baseAddress else { return }
            let stride = rect.width * 4
            if across == bytes {
                Self.convert(source, stride: down, picture.format, part.size, to: target, targetStride: stride)
            } else {
                turned.withUnsafeBufferPointer { upright in
                    guard let upright = upright.baseAddress else { return }
                    Self.convert(
                        upright, stride: part.width * bytes, picture.format, part.size, to: target, targetStride: stride
                    )
                }
            }
            X11Pixels.extend(target, from: part, to: rect)
            if isDrawn { pointer?.blend(into: target, stride: stride, of: rect) }
            use(target, stride)
        }
    }

    /// Returns a function that gives the offset in memory of the pixel that is seen at a column and row; also outside
    /// of the picture, as steps are computed with it.
    private static func place(_ picture: SharedPicture, _ transform: OutputTransform) -> (Int, Int) -> Int {
        let (bytes, stride, height) = (picture.format.bytesPerPixel, picture.stride, picture.size.height)
        let seen = transform.seen(PixelRect(picture.size), of: picture.size).size
        let isInverted = picture.isInverted
        return { x, y in
            let at = transform.inverse.seen(PixelRect(x: x, y: y, width: 1, height: 1), of: seen)
            return (isInverted ? height - 1 - at.y : at.y) * stride + at.x * bytes
        }
    }

    /// Copies pixels into `turned`, in the order in which they are seen and without gaps.
    private mutating func turn(
        _ source: UnsafeMutablePointer<UInt8>, _ across: Int, _ down: Int, _ size: PixelSize, _ bytes: Int
    ) {
        if turned.count < size.area * bytes { turned = [UInt8](repeating: 0, count: size.area * bytes) }
        turned.withUnsafeMutableBytes { buffer in
            var to = 0
            for y in 0..<size.height {
                var from = UnsafeRawPointer(source + y * down)
                for _ in 0..<size.width {
                    if bytes == 4 {
                        buffer.storeBytes(of: from.loadUnaligned(as: UInt32.self), toByteOffset: to, as: UInt32.self)
                    } else {
                        for i in 0..<bytes { buffer[to + i] = from.load(fromByteOffset: i, as: UInt8.self) }
                    }
                    from += across
                    to += bytes
                }
            }
        }
    }

    private static func convert(
        _ source: UnsafePointer<UInt8>, stride: Int, _ format: ShmFormat, _ size: PixelSize,
        to target: UnsafeMutablePointer<UInt8>, targetStride: Int
    ) {
        if format.isBGRX {
            for y in 0..<size.height {
                (target + y * targetStride).update(from: source + y * stride, count: size.width * 4)
            }
        } else if format.bytesPerPixel == 4, (format.red, format.green, format.blue) == (0xFF, 0xFF00, 0xFF0000) {
            // What OpenGL ES gives by default: only red and blue change places.
            for y in 0..<size.height {
                let from = UnsafeRawPointer(source + y * stride)
                let to = UnsafeMutableRawPointer(target + y * targetStride)
                for x in 0..<size.width {
                    let pixel = from.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                    to.storeBytes(
                        of: pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16, toByteOffset: x * 4,
                        as: UInt32.self)
                }
            }
        } else {
            X11PixelFormat(
                depth: format.depth, bitsPerPixel: format.bytesPerPixel * 8, rowBits: 8, isLittleEndian: true,
                masks: (format.red, format.green, format.blue))?
                .convert(
                    source, stride: stride, width: size.width, height: size.height, to: target,
                    targetStride: targetStride)
        }
    }
}
