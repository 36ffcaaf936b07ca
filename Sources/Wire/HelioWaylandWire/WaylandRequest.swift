package import HelioCore

/// The requests that Heliograph sends. The numbers below are those of the protocols' descriptions, a request a line.
package enum WaylandRequest: Sendable, Hashable {
    case sync(callback: UInt32)
    case getRegistry(UInt32)
    case bind(name: UInt32, WaylandInterface, version: UInt32, id: UInt32)
    /// Destroys the object: the request with the number that its interface has for this.
    case destroy(opcode: UInt16)

    case createPool(UInt32, descriptor: Int32, size: Int)
    case createBuffer(UInt32, offset: Int, ShmLayout)

    case getXDGOutput(UInt32, output: UInt32)

    case captureOutput(frame: UInt32, withCursor: Bool, output: UInt32)
    case copy(buffer: UInt32)
    case copyWithDamage(buffer: UInt32)

    /// Makes the source of an output's pictures.
    case createSource(UInt32, output: UInt32)
    /// Begins a session; `withCursor` to have the pointer in its pictures.
    case createSession(UInt32, source: UInt32, withCursor: Bool)
    case createCursorSession(UInt32, source: UInt32, pointer: UInt32)
    /// Begins the session of the pictures of a cursor session's pointer.
    case getCaptureSession(UInt32)
    case createFrame(UInt32)
    case attachBuffer(UInt32)
    /// Says that a part of the attached buffer is older than the session's last copy.
    case damageBuffer(PixelRect)
    case capture
    case getPointer(UInt32)

    case createVirtualPointer(UInt32, seat: UInt32)
    case createVirtualPointerOnOutput(UInt32, seat: UInt32, output: UInt32)
    /// Moves by units of the compositor's layout.
    case motion(time: UInt32, dx: Double, dy: Double)
    /// Moves to a point of an area of the given extent, which stands for the output or the whole layout.
    case motionAbsolute(time: UInt32, x: UInt32, y: UInt32, width: UInt32, height: UInt32)
    case button(time: UInt32, code: UInt32, isDown: Bool)
    /// Scrolls by whole clicks of a wheel; `value` is the distance in pixels.
    case axisClicks(time: UInt32, isHorizontal: Bool, value: Double, clicks: Int)
    case axisSource(UInt32)
    case pointerFrame

    case createVirtualKeyboard(UInt32, seat: UInt32)
    case keymap(format: UInt32, descriptor: Int32, size: UInt32)
    case key(time: UInt32, code: UInt32, isDown: Bool)
    case modifiers(depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32)

    case createDataSource(UInt32)
    case getDataDevice(UInt32, seat: UInt32)
    case setSelection(source: UInt32?)
    case setPrimarySelection(source: UInt32?)
    case offer(type: String)
    case receive(type: String, descriptor: Int32)

    /// The descriptor that goes with the request; `nil` for none. The sender keeps it.
    package var descriptor: Int32? {
        switch self {
        case .createPool(_, let descriptor, _), .keymap(_, let descriptor, _), .receive(_, let descriptor): descriptor
        default: nil
        }
    }

    /// Appends the request as a message to `object`.
    package func append(to bytes: inout [UInt8], object: UInt32) {
        let start = bytes.count
        var writer = WaylandWriter(bytes: bytes)
        writer.uint(object)
        writer.uint(0)
        let opcode = writeCore(&writer) ?? writeSession(&writer) ?? writeInput(&writer) ?? writeClipboard(&writer)
        writer.set(UInt32(writer.bytes.count - start) << 16 | UInt32(opcode), at: start + 4)
        bytes = writer.bytes
    }

    private func writeCore(_ writer: inout WaylandWriter) -> UInt16? {
        switch self {
        case .sync(let callback): return writer.write(0, callback)
        case .getRegistry(let id): return writer.write(1, id)
        case .bind(let name, let interface, let version, let id):
            writer.uint(name)
            writer.string(interface.rawValue)
            return writer.write(0, version, id)
        case .destroy(let opcode): return opcode
        case .createPool(let id, _, let size): return writer.write(0, id, UInt32(clamping: size))
        case .createBuffer(let id, let offset, let layout):
            return writer.write(
                0, id, UInt32(clamping: offset), UInt32(clamping: layout.width), UInt32(clamping: layout.height),
                UInt32(clamping: layout.stride), layout.format)
        case .getXDGOutput(let id, let output): return writer.write(1, id, output)
        case .captureOutput(let frame, let withCursor, let output):
            return writer.write(0, frame, withCursor ? 1 : 0, output)
        case .copy(let buffer): return writer.write(0, buffer)
        case .copyWithDamage(let buffer): return writer.write(2, buffer)
        default: return nil
        }
    }

    private func writeSession(_ writer: inout WaylandWriter) -> UInt16? {
        switch self {
        case .createSource(let id, let output): return writer.write(0, id, output)
        case .createSession(let id, let source, let withCursor):
            return writer.write(0, id, source, withCursor ? 1 : 0)
        case .createCursorSession(let id, let source, let pointer): return writer.write(1, id, source, pointer)
        case .getCaptureSession(let id): return writer.write(1, id)
        case .createFrame(let id): return writer.write(0, id)
        case .attachBuffer(let buffer): return writer.write(1, buffer)
        case .damageBuffer(let rect):
            return writer.write(
                2, UInt32(clamping: rect.x), UInt32(clamping: rect.y), UInt32(clamping: rect.width),
                UInt32(clamping: rect.height))
        case .capture: return 3
        case .getPointer(let id): return writer.write(0, id)
        default: return nil
        }
    }

    private func writeInput(_ writer: inout WaylandWriter) -> UInt16? {
        switch self {
        case .createVirtualPointer(let id, let seat): return writer.write(0, seat, id)
        case .createVirtualPointerOnOutput(let id, let seat, let output): return writer.write(2, seat, output, id)
        case .motion(let time, let dx, let dy):
            return writer.write(0, time, WaylandWriter.fixed(dx), WaylandWriter.fixed(dy))
        case .motionAbsolute(let time, let x, let y, let width, let height):
            return writer.write(1, time, x, y, width, height)
        case .button(let time, let code, let isDown): return writer.write(2, time, code, isDown ? 1 : 0)
        case .pointerFrame: return 4
        case .axisSource(let source): return writer.write(5, source)
        case .axisClicks(let time, let isHorizontal, let value, let clicks):
            return writer.write(
                7, time, isHorizontal ? 1 : 0, WaylandWriter.fixed(value),
                UInt32(bitPattern: Int32(clamping: clicks)))
        case .createVirtualKeyboard(let id, let seat): return writer.write(0, seat, id)
        case .keymap(let format, _, let size): return writer.write(0, format, size)
        case .key(let time, let code, let isDown): return writer.write(1, time, code, isDown ? 1 : 0)
        case .modifiers(let depressed, let latched, let locked, let group):
            return writer.write(2, depressed, latched, locked, group)
        default: return nil
        }
    }

    private func writeClipboard(_ writer: inout WaylandWriter) -> UInt16 {
        switch self {
        case .createDataSource(let id): return writer.write(0, id)
        case .getDataDevice(let id, let seat): return writer.write(1, id, seat)
        case .setSelection(let source): return writer.write(0, source ?? 0)
        case .setPrimarySelection(let source): return writer.write(2, source ?? 0)
        case .offer(let type), .receive(let type, _):
            writer.string(type)
            return 0
        default: return 0
        }
    }
}

/// Writes the arguments of a request.
struct WaylandWriter {
    var bytes: [UInt8]

    mutating func uint(_ value: UInt32) { withUnsafeBytes(of: value) { bytes += $0 } }

    mutating func set(_ value: UInt32, at offset: Int) {
        withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
    }

    /// Writes a string with the zero byte at its end, padded to whole words. A zero inside ends it.
    mutating func string(_ text: String) {
        let utf8 = text.utf8.prefix { $0 != 0 }
        uint(UInt32(utf8.count + 1))
        bytes += utf8
        repeat { bytes.append(0) } while bytes.count % 4 != 0
    }

    /// Writes words, and returns the opcode.
    mutating func write(_ opcode: UInt16, _ words: UInt32...) -> UInt16 {
        for word in words { uint(word) }
        return opcode
    }

    /// Returns a number in 24.8 fixed point.
    static func fixed(_ value: Double) -> UInt32 {
        UInt32(bitPattern: Int32(clamping: Int((max(-8e6, min(8e6, value)) * 256).rounded())))
    }
}
