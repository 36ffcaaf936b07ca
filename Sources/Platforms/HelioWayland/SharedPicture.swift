import CWayland
import Glibc
package import HelioCore
internal import HelioWaylandWire

/// A picture in memory that this process shares with the compositor, which writes it.
package final class SharedPicture {
    let layout: ShmLayout
    package let format: ShmFormat
    /// The pixels, in rows of `layout.stride` bytes.
    package let pixels: UnsafeMutablePointer<UInt8>
    /// True if the lowest row comes first.
    package internal(set) var isInverted = false
    /// The `wl_buffer`.
    let object: UInt32
    private let connection: WaylandConnection

    /// The distance of rows in bytes.
    package var stride: Int { layout.stride }
    package var size: PixelSize { PixelSize(width: layout.width, height: layout.height) }

    /// Makes the memory, and the compositor's buffer for it. Throws `captureFailed` if the layout is one that no
    /// picture has.
    init(_ layout: ShmLayout, shm: UInt32, _ connection: WaylandConnection) throws(HelioError) {
        guard let format = ShmFormat(code: layout.format) else {
            throw HelioError(
                .captureFailed,
                "The Wayland compositor gives pixels in a format that can't be shared (0x"
                    + String(layout.format, radix: 16) + ").")
        }
        let (largest, least) = (PixelSize.largestCoded, layout.width * format.bytesPerPixel)
        guard (1...largest.width).contains(layout.width), (1...largest.height).contains(layout.height),
            (least...least + 4096).contains(layout.stride)
        else {
            throw HelioError(
                .captureFailed,
                "The Wayland compositor describes a picture of \(layout.width)x\(layout.height) pixels in rows of "
                    + "\(layout.stride) bytes, which can't be.")
        }
        let memory = helio_wayland_memory("heliograph", layout.byteCount)
        guard memory >= 0 else {
            throw HelioError(
                .systemFailed, "No memory to share with the compositor (\(String(cString: strerror(errno)))).")
        }
        defer { close(memory) }
        guard let mapped = mmap(nil, layout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0),
            mapped != UnsafeMutableRawPointer(bitPattern: -1)
        else { throw HelioError(.systemFailed, "The memory shared with the compositor can't be mapped.") }
        self.layout = layout
        self.format = format
        self.connection = connection
        pixels = mapped.bindMemory(to: UInt8.self, capacity: layout.byteCount)
        do throws(HelioError) {
            let pool = try connection.make(.shmPool)
            object = try connection.make(.buffer)
            connection.send(.createPool(pool, descriptor: memory, size: layout.byteCount), to: shm)
            connection.send(.createBuffer(object, offset: 0, layout), to: pool)
            // The buffer keeps the memory.
            connection.destroy(pool)
        } catch {
            munmap(mapped, layout.byteCount)
            throw error
        }
    }

    deinit {
        connection.destroy(object)
        munmap(pixels, layout.byteCount)
    }
}
