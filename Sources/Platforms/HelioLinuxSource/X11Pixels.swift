import CXCB
import Glibc
import HelioCore

/// Fetches pixels of the root window as B, G, R, X bytes, through shared memory if the server supports it.
final class X11Pixels {
    /// The number of pixels in a band. Larger rectangles are cut into bands, so that one band is converted while the
    /// server copies the next band.
    private static let bandPixels = 1920 * 272

    let isShared: Bool
    /// True if the segment's ID means another segment to the server, which is in another IPC namespace.
    let isForeign: Bool
    private let x: X11Connection
    private let format: X11PixelFormat
    /// The captured part of the root window. It may move, but its size must not change.
    var area: PixelRect
    private let segment: UnsafeMutablePointer<UInt8>?
    private let segmentID: xcb_shm_seg_t
    private let byteCount: Int
    /// The buffer for a rectangle whose pixels need conversion, or extension beyond the area's edge.
    private var scratch: [UInt8] = []

    /// - Parameters:
    ///   - format: the format of the root window's pixels.
    ///   - area: the captured area in the root window. The segment has space for its pixels and one more row per band,
    ///     as adjacent bands share a row if the picture is scaled; one `take` may request no more.
    init(_ x: X11Connection, format: X11PixelFormat, area: PixelRect, shared: Bool) throws(HelioError) {
        self.x = x
        self.format = format
        self.area = area
        let byteCount = format.rowBytes(area.width + 1) * (area.height + 1 + area.height / 16 + Region.limit)
        self.byteCount = byteCount
        var memory: UnsafeMutablePointer<UInt8>?
        var name: xcb_shm_seg_t = 0
        var isForeign = false
        if shared, x.firstEvent(of: HELIO_SHM) != nil {
            var id: Int32 = -1
            if let at = helio_shm_create(byteCount, &id) {
                helio_shm_lend(x.raw, id)
                name = xcb_generate_id(x.raw)
                let attached = try? x.succeeded(xcb_shm_attach_checked(x.raw, name, UInt32(bitPattern: id), 0))
                helio_shm_forget(id)
                let own = at.bindMemory(to: UInt8.self, capacity: byteCount)
                if attached == true, try Self.reads(own, as: name, x, format) {
                    memory = own
                } else {
                    isForeign = attached == true
                    if isForeign { xcb_shm_detach(x.raw, name) }
                    shmdt(at)
                }
                try x.checkAlive()
            }
        }
        segment = memory
        segmentID = name
        isShared = memory != nil
        self.isForeign = isForeign
    }

    deinit {
        guard let segment else { return }
        xcb_shm_detach(x.raw, segmentID)
        shmdt(segment)
    }

    /// Returns whether the server's segment `segment` is this process's `memory`.
    ///
    /// A segment ID may mean another program's memory if the server is in another IPC namespace (of a container, for
    /// example); the server would then write the screen's pixels into that memory. So the server reads first: this
    /// process writes random pixels to the segment, lets the server copy them into a pixmap, and reads them back
    /// through the socket.
    static func reads(
        _ memory: UnsafeMutablePointer<UInt8>, as segment: xcb_shm_seg_t, _ x: X11Connection, _ format: X11PixelFormat
    ) throws(HelioError) -> Bool {
        let bytes = format.rowBytes(markPixels)
        for i in 0..<bytes { memory[i] = .random(in: 0...255) }
        let pixmap = xcb_generate_id(x.raw)
        let context = xcb_generate_id(x.raw)
        xcb_create_pixmap(x.raw, format.depth, pixmap, x.root, UInt16(markPixels), 1)
        xcb_create_gc(x.raw, context, pixmap, 0, nil)
        defer {
            xcb_free_gc(x.raw, context)
            xcb_free_pixmap(x.raw, pixmap)
        }
        let zFormat = UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue)
        let put = xcb_shm_put_image_checked(
            x.raw, pixmap, context, UInt16(markPixels), 1, 0, 0, UInt16(markPixels), 1, 0, 0, format.depth, zFormat, 0,
            segment, 0)
        guard try x.succeeded(put) else { return false }
        let cookie = xcb_get_image(x.raw, zFormat, pixmap, 0, 0, UInt16(markPixels), 1, ~0)
        guard let reply = try x.reply({ xcb_get_image_reply(x.raw, cookie, $0) }) else { return false }
        defer { free(reply) }
        guard let read = xcb_get_image_data(reply), Int(xcb_get_image_data_length(reply)) >= bytes else { return false }
        return (0..<markPixels).allSatisfy { i in
            let at = i * format.bytesPerPixel
            return (format.pixel(at: read + at) ^ format.pixel(at: memory + at)) & format.colours == 0
        }
    }

    /// The number of pixels that are compared; together they have at least 240 random bits.
    private static let markPixels = 16

    /// Requests the pixels of all rectangles at once, then passes each one to `use` when its reply arrives.
    ///
    /// - Parameters:
    ///   - rects: the rectangles in pixels of the captured area, best cut into `bands`. If one extends beyond the area
    ///     (pictures have even sides), the area's last column and row are repeated.
    ///   - use: called with the rectangle's index, its pixels, and the distance of rows in bytes.
    /// - Returns: false if the server refused a rectangle; `use` was then called for the others only.
    func take(_ rects: [PixelRect], use: (Int, UnsafePointer<UInt8>, Int) -> Void) throws(HelioError) -> Bool {
        let bounds = PixelRect(area.size)
        let parts = rects.map { rect in
            let part = rect.intersection(bounds)
            // A rectangle that lies completely beyond the edge gets the area's last row or column.
            return part.isEmpty
                ? PixelRect(
                    x: min(rect.x, bounds.width - 1), y: min(rect.y, bounds.height - 1),
                    width: max(1, part.width), height: max(1, part.height))
                : part
        }
        func hand(_ number: Int, _ bytes: UnsafePointer<UInt8>) {
            let (rect, part) = (rects[number], parts[number])
            let stride = format.rowBytes(part.width)
            if format.isBGRX, part.size == rect.size { return use(number, bytes, stride) }
            let count = rect.area * 4
            if scratch.count < count { scratch = [UInt8](repeating: 0, count: count) }
            scratch.withUnsafeMutableBufferPointer { buffer in
                guard let target = buffer.baseAddress else { return }
                if format.isBGRX {
                    for y in 0..<part.height {
                        (target + y * rect.width * 4).update(from: bytes + y * stride, count: part.width * 4)
                    }
                } else {
                    format.convert(
                        bytes, stride: stride, width: part.width, height: part.height, to: target,
                        targetStride: rect.width * 4)
                }
                Self.extend(target, from: part, to: rect)
                use(number, target, rect.width * 4)
            }
        }
        return segment == nil ? try takeOverSocket(parts, hand) : try takeShared(parts, hand)
    }

    /// Extends `part` to `rect`, which has the same top left corner, by repeating the last column and row.
    static func extend(_ pixels: UnsafeMutablePointer<UInt8>, from part: PixelRect, to rect: PixelRect) {
        let stride = rect.width * 4
        for y in 0..<part.height {
            let row = pixels + y * stride
            for x in part.width..<max(part.width, rect.width) {
                (row + x * 4).update(from: row + (part.width - 1) * 4, count: 4)
            }
        }
        for y in part.height..<max(part.height, rect.height) {
            (pixels + y * stride).update(from: pixels + (part.height - 1) * stride, count: stride)
        }
    }

    /// Cuts a large rectangle of a picture into bands, which are fetched and converted in turn.
    ///
    /// - Parameter area: the number of captured pixels that the rectangle needs.
    static func bands(_ rect: PixelRect, area: Int) -> [PixelRect] {
        if area <= bandPixels * 3 / 2 { return [rect] }
        let rows = max(16, bandPixels * rect.height / area / 16 * 16)
        return stride(from: rect.y, to: rect.maxY, by: rows).map {
            PixelRect(x: rect.x, y: $0, width: rect.width, height: min(rows, rect.maxY - $0))
        }
    }

    private func takeShared(
        _ rects: [PixelRect], _ use: (Int, UnsafePointer<UInt8>) -> Void
    ) throws(HelioError) -> Bool {
        guard let segment else { return false }
        var offset = 0
        var requests: [(cookie: xcb_shm_get_image_cookie_t, offset: Int)] = []
        requests.reserveCapacity(rects.count)
        for rect in rects {
            let bytes = format.rowBytes(rect.width) * rect.height
            precondition(offset + bytes <= byteCount, "rectangles larger than the segment")
            let cookie = xcb_shm_get_image(
                x.raw, x.root, Int16(rect.x + area.x), Int16(rect.y + area.y), UInt16(rect.width),
                UInt16(rect.height), ~0, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), segmentID, UInt32(offset))
            requests.append((cookie, offset))
            // Keep 4-byte pixels aligned.
            offset += (bytes + 3) & ~3
        }
        var all = true
        for (number, request) in requests.enumerated() {
            guard let reply = try x.reply({ xcb_shm_get_image_reply(x.raw, request.cookie, $0) }) else {
                all = false
                continue
            }
            free(reply)
            use(number, segment + request.offset)
        }
        return all
    }

    private func takeOverSocket(
        _ rects: [PixelRect], _ use: (Int, UnsafePointer<UInt8>) -> Void
    ) throws(HelioError) -> Bool {
        let cookies = rects.map {
            xcb_get_image(
                x.raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), x.root, Int16($0.x + area.x), Int16($0.y + area.y),
                UInt16($0.width), UInt16($0.height), ~0)
        }
        var all = true
        for (number, rect) in rects.enumerated() {
            guard let reply = try x.reply({ xcb_get_image_reply(x.raw, cookies[number], $0) }) else {
                all = false
                continue
            }
            defer { free(reply) }
            let bytes = format.rowBytes(rect.width) * rect.height
            guard let data = xcb_get_image_data(reply), Int(xcb_get_image_data_length(reply)) >= bytes else {
                all = false
                continue
            }
            use(number, data)
        }
        return all
    }
}
