internal import CSDL2
internal import HelioCore

/// The pixels of a Wayland window: buffers in turn, as the compositor may read the one that it shows. Never waits for
/// the compositor.
final class WaylandPixels: PixelTarget {
    private final class Buffer {
        let memory: UnsafeMutablePointer<helio_wayland_buffer>
        let surface: UnsafeMutablePointer<SDL_Surface>
        /// The region in which a later buffer has other pixels.
        var stale = Region()
        var isBusy: Bool { memory.pointee.is_busy != 0 }

        init?(_ window: WaylandWindow, _ size: PixelSize) {
            guard let memory = helio_wayland_buffer_open(window.handle, Int32(size.width), Int32(size.height), 0) else {
                return nil
            }
            let surface = SDL_CreateRGBSurfaceWithFormatFrom(
                memory.pointee.pixels, Int32(size.width), Int32(size.height), 32, Int32(size.width * 4),
                SDL_PIXELFORMAT_RGB888.rawValue)
            guard let surface else {
                helio_wayland_buffer_close(memory)
                return nil
            }
            self.memory = memory
            self.surface = surface
        }

        deinit {
            SDL_FreeSurface(surface)
            helio_wayland_buffer_close(memory)
        }
    }

    /// The most buffers: one on the screen, one that waits for the next frame, one to draw on.
    private static let most = 3

    let size: PixelSize
    private let window: WaylandWindow
    private var buffers: [Buffer] = []
    /// The buffer that was shown last; `nil` before the first.
    private var newest: Buffer?
    /// The buffer to draw on; `nil` until `surface` has chosen it.
    private var next: Buffer?
    private var damage = Region()

    init(of window: WaylandWindow, size: PixelSize) {
        self.window = window
        self.size = size
    }

    /// False while the compositor holds all buffers: it is about to release one, which the window's `wait` notices.
    var isReady: Bool { next != nil || buffers.count < Self.most || buffers.contains { !$0.isBusy } }

    var surface: UnsafeMutablePointer<SDL_Surface>? {
        if next == nil { next = buffers.first { !$0.isBusy } }
        if next == nil, buffers.count < Self.most, let new = Buffer(window, size) {
            new.stale.add(PixelRect(size))
            buffers.append(new)
            next = new
        }
        return next?.surface
    }

    /// Copies what the shown buffer has and this one has not.
    func prepare(for rects: [PixelRect]) {
        guard let next else { return }
        for stale in next.stale.rects {
            var parts = [stale]
            for rect in rects { parts = parts.flatMap { $0.subtracting(rect) } }
            if let newest { for part in parts { Self.copy(part, from: newest.surface, to: next.surface) } }
        }
        next.stale.removeAll()
    }

    private static func copy(
        _ part: PixelRect, from: UnsafeMutablePointer<SDL_Surface>, to: UnsafeMutablePointer<SDL_Surface>
    ) {
        let stride = Int(from.pointee.pitch)
        for row in part.y..<max(part.y, part.maxY) {
            let start = row * stride + part.x * 4
            (to.pointee.pixels + start).copyMemory(from: from.pointee.pixels + start, byteCount: part.width * 4)
        }
    }

    func put(_ rect: PixelRect) {
        if rect.isEmpty { return }
        var part = SDL_Rect(rect)
        helio_wayland_damage(window.handle, &part)
        damage.add(rect)
    }

    func finish() -> Bool {
        guard let next else { return false }
        for buffer in buffers where buffer !== next { buffer.stale.add(damage) }
        damage.removeAll()
        self.next = nil
        newest = next
        return window.show(next.memory, size)
    }
}
