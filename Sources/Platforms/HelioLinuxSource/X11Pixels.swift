import CXCB
import Glibc
import HelioCore

/// Fetches pixels of the root window, through shared memory where the server shares any.
final class X11Pixels {
    /// The pixels of a band: larger pieces are cut, so that one is converted while the server copies the next.
    private static let bandPixels = 1920 * 272

    let isShared: Bool
    private let x: X11Connection
    private let segment: UnsafeMutablePointer<UInt8>?
    private let segmentID: xcb_shm_seg_t
    private let byteCount: Int

    /// - Parameter size: the size of the captured area; one `take` may ask for as much, and a row more for each band,
    ///   which share one where the picture is scaled.
    init(_ x: X11Connection, size: PixelSize, shared: Bool) throws(HelioError) {
        self.x = x
        let byteCount = size.width * 4 * (size.height + size.height / 16 + Region.limit)
        self.byteCount = byteCount
        var memory: UnsafeMutablePointer<UInt8>?
        var name: xcb_shm_seg_t = 0
        if shared, x.firstEvent(of: HELIO_SHM) != nil {
            var id: Int32 = -1
            if let at = helio_shm_create(byteCount, &id) {
                name = xcb_generate_id(x.raw)
                let attached = try? x.succeeded(xcb_shm_attach_checked(x.raw, name, UInt32(bitPattern: id), 0))
                helio_shm_forget(id)
                if attached == true {
                    memory = at.bindMemory(to: UInt8.self, capacity: byteCount)
                } else {
                    shmdt(at)
                }
                try x.checkAlive()
            }
        }
        segment = memory
        segmentID = name
        isShared = memory != nil
    }

    deinit {
        guard let segment else { return }
        xcb_shm_detach(x.raw, segmentID)
        shmdt(segment)
    }

    /// Requests all rectangles in one go, then hands each over as it comes.
    ///
    /// - Parameters:
    ///   - rects: in pixels of the captured area, whose position in the root the offsets give; best cut into `bands`.
    ///   - use: called with the rectangle's number, its pixels, and the bytes of a row.
    /// - Returns: false when the server refused one; the others were handed over.
    func take(
        _ rects: [PixelRect], offsetX: Int, offsetY: Int, use: (Int, UnsafePointer<UInt8>, Int) -> Void
    ) throws(HelioError) -> Bool {
        segment == nil
            ? try takeOverSocket(rects, offsetX, offsetY, use) : try takeShared(rects, offsetX, offsetY, use)
    }

    /// Cuts a large rectangle of a picture into bands that are taken and converted in turn.
    ///
    /// - Parameter area: the number of captured pixels that it takes.
    static func bands(_ rect: PixelRect, area: Int) -> [PixelRect] {
        if area <= bandPixels * 3 / 2 { return [rect] }
        let rows = max(16, bandPixels * rect.height / area / 16 * 16)
        return stride(from: rect.y, to: rect.maxY, by: rows).map {
            PixelRect(x: rect.x, y: $0, width: rect.width, height: min(rows, rect.maxY - $0))
        }
    }

    private func takeShared(
        _ rects: [PixelRect], _ dx: Int, _ dy: Int, _ use: (Int, UnsafePointer<UInt8>, Int) -> Void
    ) throws(HelioError) -> Bool {
        guard let segment else { return false }
        var offset = 0
        var requests: [(cookie: xcb_shm_get_image_cookie_t, rect: PixelRect, offset: Int)] = []
        requests.reserveCapacity(rects.count)
        for rect in rects {
            precondition(offset + rect.area * 4 <= byteCount, "rectangles larger than the segment")
            let cookie = xcb_shm_get_image(
                x.raw, x.root, Int16(rect.x + dx), Int16(rect.y + dy), UInt16(rect.width), UInt16(rect.height),
                ~0, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), segmentID, UInt32(offset))
            requests.append((cookie, rect, offset))
            offset += rect.area * 4
        }
        var all = true
        for (number, request) in requests.enumerated() {
            guard let reply = try x.reply({ xcb_shm_get_image_reply(x.raw, request.cookie, $0) }) else {
                all = false
                continue
            }
            free(reply)
            use(number, segment + request.offset, request.rect.width * 4)
        }
        return all
    }

    private func takeOverSocket(
        _ rects: [PixelRect], _ dx: Int, _ dy: Int, _ use: (Int, UnsafePointer<UInt8>, Int) -> Void
    ) throws(HelioError) -> Bool {
        let cookies = rects.map {
            xcb_get_image(
                x.raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), x.root, Int16($0.x + dx), Int16($0.y + dy),
                UInt16($0.width), UInt16($0.height), ~0)
        }
        var all = true
        for (number, rect) in rects.enumerated() {
            guard let reply = try x.reply({ xcb_get_image_reply(x.raw, cookies[number], $0) }) else {
                all = false
                continue
            }
            defer { free(reply) }
            guard let data = xcb_get_image_data(reply), Int(xcb_get_image_data_length(reply)) >= rect.area * 4 else {
                all = false
                continue
            }
            use(number, data, rect.width * 4)
        }
        return all
    }
}
