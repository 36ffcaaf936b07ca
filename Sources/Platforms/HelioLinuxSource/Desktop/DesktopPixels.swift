import HelioCore

/// Passes pixels of a stream's picture on, as B, G, R, X bytes.
struct DesktopPixels {
    /// The pointer to draw into them; `nil` for none.
    var pointer: DrawnPointer?
    /// The buffer for pixels that are converted, or drawn upon.
    private var copy: [UInt8] = []

    /// Passes the pixels of a rectangle to `use`, with the distance of rows in bytes: those in memory if they need no
    /// change, else a copy.
    ///
    /// - Parameters:
    ///   - rect: within the picture.
    ///   - bytes: the picture's first pixel.
    mutating func take(
        _ rect: PixelRect, of bytes: UnsafeMutablePointer<UInt8>, stride: Int, isRGB: Bool,
        use: (UnsafePointer<UInt8>, Int) -> Void
    ) {
        let source = UnsafePointer(bytes + rect.y * stride + rect.x * 4)
        let isDrawn = pointer.map { !$0.rect.intersection(rect).isEmpty } ?? false
        if !isRGB, !isDrawn { return use(source, stride) }
        let row = rect.width * 4
        if copy.count < row * rect.height { copy = [UInt8](repeating: 0, count: row * rect.height) }
        copy.withUnsafeMutableBufferPointer { buffer in
            guard let target = buffer.baseAddress else { return }
            for y in 0..<rect.height {
                Self.copy(source + y * stride, to: target + y * row, count: rect.width, isRGB: isRGB)
            }
            if isDrawn { pointer?.blend(into: target, stride: row, of: rect) }
            use(target, row)
        }
    }

    private static func copy(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int, isRGB: Bool
    ) {
        guard isRGB else { return target.update(from: source, count: count * 4) }
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        for x in 0..<count {
            let pixel = from.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
            to.storeBytes(
                of: pixel & 0xFF00_FF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16, toByteOffset: x * 4,
                as: UInt32.self)
        }
    }
}
