package import HelioCore

/// An output of a compositor: its names, size, place, scale and turn.
package struct WaylandOutput: Sendable, Hashable {
    /// The number of its global, and the object that this client has bound to it.
    package let global: UInt32
    package let object: UInt32
    /// The object with its place in the layout; `nil` if the compositor has no xdg-output.
    var placeObject: UInt32?

    /// The connector's name, such as `DP-1`; empty until it is known.
    var name = ""
    /// The size of the output's pictures, before they are turned.
    package var mode = PixelSize(width: 0, height: 0)
    package var transform = OutputTransform.normal
    var integerScale = 1
    /// The place in the compositor's layout, in its logical units.
    var position = (x: 0, y: 0)
    /// The size in logical units; `nil` if the compositor does not tell.
    var logicalSize: PixelSize?
    /// True once the compositor has described the output completely.
    package internal(set) var isComplete = false

    init(global: UInt32, object: UInt32) { (self.global, self.object) = (global, object) }

    package static func == (a: Self, b: Self) -> Bool {
        (a.global, a.object, a.name, a.mode) == (b.global, b.object, b.name, b.mode)
            && (a.transform, a.integerScale, a.logicalSize) == (b.transform, b.integerScale, b.logicalSize)
            && a.position == b.position && a.isComplete == b.isComplete
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(global) }

    /// The permanent name; for a compositor that tells none, the number of the output's global.
    package var id: String { name.isEmpty ? "output-\(global)" : name }

    /// The size of the picture as it is seen.
    package var size: PixelSize { transform.isSideways ? PixelSize(width: mode.height, height: mode.width) : mode }

    /// The pixels per logical unit, in steps of 1/120, as in fractional-scale: the logical size is rounded to whole
    /// units.
    package var scale: Double {
        guard let logicalSize, logicalSize.width > 0, size.width > 0 else { return Double(max(1, integerScale)) }
        return max(1, (Double(size.width) / Double(logicalSize.width) * 120).rounded()) / 120
    }

    /// The rectangle in the layout, in logical units.
    package var logicalRect: PixelRect {
        let extent =
            logicalSize
            ?? PixelSize(width: Int(Double(size.width) / scale), height: Int(Double(size.height) / scale))
        return PixelRect(x: position.x, y: position.y, width: extent.width, height: extent.height)
    }

    /// The output as a monitor, in its own pixels.
    package func monitor(isPrimary: Bool) -> ScreenMonitor {
        let scale = scale
        return ScreenMonitor(
            id: id, name: id,
            rect: PixelRect(
                x: Int((Double(position.x) * scale).rounded()), y: Int((Double(position.y) * scale).rounded()),
                width: size.width, height: size.height), isPrimary: isPrimary, scale: scale)
    }
}

/// The turn between an output's picture in memory and as it is seen (`wl_output.transform`), counted counter-clockwise;
/// a flip at the vertical axis comes first.
package enum OutputTransform: Int, Sendable, Hashable {
    case normal = 0
    case turned90, turned180, turned270, flipped, flipped90, flipped180, flipped270

    package var isSideways: Bool { rawValue & 1 != 0 }

    /// Returns the part of the picture as it is seen of a part of the picture in memory.
    ///
    /// - Parameter memory: the size of the picture in memory.
    package func seen(_ r: PixelRect, of memory: PixelSize) -> PixelRect {
        let (right, bottom) = (memory.width - r.maxX, memory.height - r.maxY)
        return switch self {
        case .normal: r
        case .turned90: PixelRect(x: bottom, y: r.x, width: r.height, height: r.width)
        case .turned180: PixelRect(x: right, y: bottom, width: r.width, height: r.height)
        case .turned270: PixelRect(x: r.y, y: right, width: r.height, height: r.width)
        case .flipped: PixelRect(x: right, y: r.y, width: r.width, height: r.height)
        case .flipped90: PixelRect(x: r.y, y: r.x, width: r.height, height: r.width)
        case .flipped180: PixelRect(x: r.x, y: bottom, width: r.width, height: r.height)
        case .flipped270: PixelRect(x: bottom, y: right, width: r.height, height: r.width)
        }
    }

    /// The turn that undoes this one.
    package var inverse: OutputTransform {
        switch self {
        case .turned90: .turned270
        case .turned270: .turned90
        default: self
        }
    }
}
