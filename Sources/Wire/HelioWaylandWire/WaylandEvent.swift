package import HelioCore

/// The events that a compositor sends to a client of these interfaces.
package enum WaylandEvent: Sendable, Hashable {
    // wl_display, wl_registry, wl_callback, wl_shm, wl_buffer
    /// The compositor ends the connection because of a mistake of this client's.
    case error(object: UInt32, code: UInt32, message: String)
    /// The compositor has forgotten an object, whose identifier may be used again.
    case idDeleted(UInt32)
    case global(name: UInt32, interface: String, version: UInt32)
    case globalRemoved(name: UInt32)
    case done
    case shmFormat(UInt32)
    case bufferReleased

    // wl_output, wl_seat, zxdg_output_v1
    case geometry(x: Int, y: Int, transform: Int)
    case mode(isCurrent: Bool, PixelSize)
    case outputDone
    case scale(Int)
    case name(String)
    case description(String)
    case logicalPosition(x: Int, y: Int)
    case logicalSize(PixelSize)
    /// The devices of a seat: bit 0 for a pointer (wl_seat.capability).
    case capabilities(UInt32)

    // zwlr_screencopy_frame_v1, ext_image_copy_capture_session_v1, _frame_v1, _cursor_session_v1
    /// The shared memory that a copy needs.
    case buffer(ShmLayout)
    /// The size of the pictures that a session needs; the formats come as `shmFormat`.
    case bufferSize(PixelSize)
    /// All needs of a copy, or of a session, are told.
    case bufferDone
    case flags(UInt32)
    /// The turn of a copy (wl_output.transform).
    case transform(Int)
    /// The copy is done: the time on the compositor's clock, in nanoseconds; 0 if it is not told.
    case ready(UInt64)
    case failed(CopyFailure)
    case damage(PixelRect)
    /// The session has ended, as when its output is gone.
    case stopped
    case pointerEntered
    case pointerLeft
    /// The place of the pointer's hot spot in the picture as it is seen; it may be outside.
    case pointerPosition(x: Int, y: Int)
    /// The place of the hot spot in the pointer's next picture.
    case hotspot(x: Int, y: Int)

    // zwlr_data_control_device_v1, _source_v1, _offer_v1
    /// A new object for content that was copied; its formats follow.
    case offered(UInt32)
    case selection(UInt32?)
    case primarySelection(UInt32?)
    case finished
    case send(type: String, descriptor: Int32)
    case cancelled
    case type(String)

    /// An event that this client has no use for, or does not know.
    case other

    /// Parses an event.
    ///
    /// - Parameter input: the descriptor of an event that carries one is taken from it.
    package static func parse(
        _ message: WaylandInput.Message, of interface: WaylandInterface, _ input: inout WaylandInput
    ) throws(WaylandFault) -> WaylandEvent {
        var reader = WaylandReader(message.body)
        switch (interface, message.opcode) {
        case (.dataControlSource, 0):
            // The descriptor is taken first, so that it is not left for another event.
            guard let descriptor = input.takeDescriptor() else { throw .descriptorMissing }
            do throws(WaylandFault) {
                return .send(type: try reader.string(), descriptor: descriptor)
            } catch {
                input.putBack(descriptor)
                throw error
            }
        case (.screencopyFrame, _): return try frame(message.opcode, &reader)
        case (.copySession, _): return try session(message.opcode, &reader)
        case (.copyFrame, _): return try sessionFrame(message.opcode, &reader)
        case (.cursorSession, _): return try cursor(message.opcode, &reader)
        case (.output, _), (.xdgOutput, _): return try output(interface, message.opcode, &reader)
        case (.dataControlDevice, _), (.dataControlSource, _), (.dataControlOffer, _):
            return try clipboard(interface, message.opcode, &reader)
        default: return try core(interface, message.opcode, &reader)
        }
    }

    private static func core(
        _ interface: WaylandInterface, _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch (interface, opcode) {
        case (.display, 0): .error(object: try reader.uint(), code: try reader.uint(), message: try reader.string())
        case (.display, 1): .idDeleted(try reader.uint())
        case (.registry, 0):
            .global(name: try reader.uint(), interface: try reader.string(), version: try reader.uint())
        case (.registry, 1): .globalRemoved(name: try reader.uint())
        case (.callback, 0): .done
        case (.shm, 0): .shmFormat(try reader.uint())
        case (.buffer, 0): .bufferReleased
        case (.seat, 0): .capabilities(try reader.uint())
        default: .other
        }
    }

    private static func output(
        _ interface: WaylandInterface, _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch (interface, opcode) {
        case (.output, 0):
            let (x, y) = (try reader.int(), try reader.int())
            // The size in millimetres, and the arrangement of subpixels.
            for _ in 0..<3 { _ = try reader.int() }
            _ = try reader.string()
            _ = try reader.string()
            return .geometry(x: x, y: y, transform: try reader.int())
        case (.output, 1):
            let flags = try reader.uint()
            return .mode(
                isCurrent: flags & 1 != 0, PixelSize(width: try reader.int(), height: try reader.int()))
        case (.output, 2): return .outputDone
        case (.output, 3): return .scale(try reader.int())
        case (.output, 4), (.xdgOutput, 3): return .name(try reader.string())
        case (.output, 5), (.xdgOutput, 4): return .description(try reader.string())
        case (.xdgOutput, 0): return .logicalPosition(x: try reader.int(), y: try reader.int())
        case (.xdgOutput, 1): return .logicalSize(PixelSize(width: try reader.int(), height: try reader.int()))
        // Before version 3 of its manager, an xdg_output says itself when it is complete.
        case (.xdgOutput, 2): return .outputDone
        default: return .other
        }
    }

    private static func frame(
        _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch opcode {
        case 0:
            let format = try reader.uint()
            let (width, height) = (Int(try reader.uint()), Int(try reader.uint()))
            return .buffer(
                ShmLayout(format: format, width: width, height: height, stride: Int(try reader.uint())))
        case 1: return .flags(try reader.uint())
        case 2:
            let (high, low) = (UInt64(try reader.uint()), UInt64(try reader.uint()))
            let (seconds, overflows) = (high << 32 | low).multipliedReportingOverflow(by: 1_000_000_000)
            return .ready(overflows ? 0 : seconds &+ UInt64(try reader.uint()))
        case 3: return .failed(.unknown)
        case 4:
            let (x, y) = (Int(try reader.uint()), Int(try reader.uint()))
            return .damage(PixelRect(x: x, y: y, width: Int(try reader.uint()), height: Int(try reader.uint())))
        case 6: return .bufferDone
        default: return .other
        }
    }

    private static func session(
        _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch opcode {
        case 0: .bufferSize(PixelSize(width: Int(try reader.uint()), height: Int(try reader.uint())))
        case 1: .shmFormat(try reader.uint())
        case 4: .bufferDone
        case 5: .stopped
        // The device and the formats of memory on it.
        default: .other
        }
    }

    private static func sessionFrame(
        _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch opcode {
        case 0: return .transform(Int(try reader.uint()))
        case 1:
            let (x, y) = (try reader.int(), try reader.int())
            return .damage(PixelRect(x: x, y: y, width: try reader.int(), height: try reader.int()))
        case 3: return .ready(0)
        case 4: return .failed(CopyFailure(rawValue: try reader.uint()) ?? .unknown)
        // The time of the presentation.
        default: return .other
        }
    }

    private static func cursor(
        _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch opcode {
        case 0: .pointerEntered
        case 1: .pointerLeft
        case 2: .pointerPosition(x: try reader.int(), y: try reader.int())
        case 3: .hotspot(x: try reader.int(), y: try reader.int())
        default: .other
        }
    }

    private static func clipboard(
        _ interface: WaylandInterface, _ opcode: UInt16, _ reader: inout WaylandReader
    ) throws(WaylandFault) -> WaylandEvent {
        switch (interface, opcode) {
        case (.dataControlDevice, 0): .offered(try reader.uint())
        case (.dataControlDevice, 1): .selection(try reader.object())
        case (.dataControlDevice, 2): .finished
        case (.dataControlDevice, 3): .primarySelection(try reader.object())
        case (.dataControlSource, 1): .cancelled
        case (.dataControlOffer, 0): .type(try reader.string())
        default: .other
        }
    }
}

/// The reason why a copy has failed (ext_image_copy_capture_frame_v1.failure_reason).
package enum CopyFailure: UInt32, Sendable, Hashable {
    /// None is told; the next copy may succeed.
    case unknown = 0
    /// The memory does not suit the session's latest needs.
    case needs = 1
    /// The session has ended.
    case stopped = 2
}

/// A picture in shared memory as a compositor describes it.
package struct ShmLayout: Sendable, Hashable {
    /// The pixels' format: 0 and 1 for ARGB8888 and XRGB8888, DRM's code for others (wl_shm).
    package var format: UInt32
    package var width: Int
    package var height: Int
    /// The distance of rows in bytes.
    package var stride: Int

    package init(format: UInt32, width: Int, height: Int, stride: Int) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
    }

    package var byteCount: Int { stride * height }
}
