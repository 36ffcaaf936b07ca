import CXCB
import Glibc
import HelioCore

/// A connection to an X server for the clipboard only, used by one thread at a time.
final class ClipboardConnection {
    let raw: OpaquePointer
    let displayName: String
    let root: xcb_window_t
    let atoms: ClipboardAtoms
    /// The window that owns the selection while this program offers the other machine's content.
    let window: xcb_window_t
    private let firstFixesEvent: UInt8

    /// Connects to a server. Throws `unsupported` if it can't be reached, or has no XFIXES.
    ///
    /// - Parameter display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`.
    init(display: String?, selection: X11Selection) throws(HelioError) {
        displayName = display ?? getenv("DISPLAY").map { String(cString: $0) } ?? ""
        var preferred: Int32 = 0
        let connection = xcb_connect(display, &preferred)
        guard let connection, xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection) else {
            if let connection { xcb_disconnect(connection) }
            throw HelioError(
                .unsupported,
                displayName.isEmpty
                    ? "There is no X display, and so no clipboard."
                    : "The X display \(displayName) can't be opened for its clipboard.")
        }
        do throws(HelioError) {
            var screens = xcb_setup_roots_iterator(setup)
            for _ in 0..<preferred where screens.rem > 1 { xcb_screen_next(&screens) }
            root = screens.data.pointee.root
            // Check for XFIXES before its first request, as that would end the connection if XFIXES is missing.
            guard let fixes = helio_xcb_query(connection, HELIO_XFIXES), fixes.pointee.present != 0 else {
                throw HelioError(
                    .unsupported, "The X display \(displayName) does not tell who copies: it has no XFIXES.")
            }
            firstFixesEvent = fixes.pointee.first_event
            atoms = try ClipboardAtoms(connection, selection: selection)
            window = Self.makeWindow(connection, root)
            raw = connection
        } catch {
            xcb_disconnect(connection)
            throw error
        }
        free(xcb_xfixes_query_version_reply(raw, xcb_xfixes_query_version(raw, 4, 0), nil))
        let events =
            XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER.rawValue
            | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY.rawValue
            | XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE.rawValue
        xcb_xfixes_select_selection_input(raw, window, atoms.selection, events)
        xcb_flush(raw)
    }

    deinit { xcb_disconnect(raw) }

    /// A unique name of this server, from a property of its root window; made and stored there if missing.
    var name: String? {
        let length = 32
        // Grab the server so that two programs that start at the same time get the same name.
        xcb_grab_server(raw)
        defer {
            xcb_ungrab_server(raw)
            xcb_flush(raw)
        }
        if let reply = get(atoms.serverName, of: root, offset: 0, words: UInt32(length / 4), delete: false) {
            defer { free(reply) }
            if xcb_get_property_value_length(reply) == length, let value = xcb_get_property_value(reply) {
                let text = UnsafeRawBufferPointer(start: value, count: length)
                return String(validating: text, as: UTF8.self)
            }
        }
        var random = SystemRandomNumberGenerator()
        let name = String((0..<length).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
        put(Array(name.utf8)[...], XCB_ATOM_STRING.rawValue, to: atoms.serverName, of: root)
        return name
    }

    var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }

    /// Throws `systemFailed` if the connection has failed.
    func checkAlive() throws(HelioError) {
        if xcb_connection_has_error(raw) != 0 {
            throw HelioError(.systemFailed, "The X display \(displayName) is gone, and its clipboard with it.")
        }
    }

    /// Returns true if an event's type is that of XFIXES SelectionNotify, which reports a new owner.
    func isOwnerEvent(_ type: UInt8) -> Bool { type == firstFixesEvent + UInt8(XCB_XFIXES_SELECTION_NOTIFY) }

    /// Returns the next queued event, without waiting for one. The caller frees it.
    func nextEvent() throws(HelioError) -> UnsafeMutablePointer<xcb_generic_event_t>? {
        if let event = xcb_poll_for_event(raw) { return event }
        try checkAlive()
        return nil
    }

    /// Makes a window that is never shown, with events about changes of its properties.
    func makeWindow() -> xcb_window_t { Self.makeWindow(raw, root) }

    private static func makeWindow(_ connection: OpaquePointer, _ root: xcb_window_t) -> xcb_window_t {
        let window = xcb_generate_id(connection)
        xcb_create_window(
            connection, 0, window, root, -10, -10, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0,
            XCB_CW_EVENT_MASK.rawValue, [XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue])
        return window
    }

    var owner: xcb_window_t? {
        guard
            let reply = xcb_get_selection_owner_reply(raw, xcb_get_selection_owner(raw, atoms.selection), nil)
        else { return nil }
        defer { free(reply) }
        return reply.pointee.owner
    }

    /// Returns a property's type, format (bits per unit) and size in bytes; `nil` if the property or its window does
    /// not exist.
    func describe(_ property: xcb_atom_t, of window: xcb_window_t) -> (type: xcb_atom_t, format: UInt8, size: Int)? {
        guard let reply = get(property, of: window, offset: 0, words: 0, delete: false) else { return nil }
        defer { free(reply) }
        guard reply.pointee.type != 0 else { return nil }
        return (reply.pointee.type, reply.pointee.format, Int(reply.pointee.bytes_after))
    }

    /// Returns the first 32-bit number of a property, without deleting the property; `nil` if it is shorter.
    func peek(_ property: xcb_atom_t, of window: xcb_window_t) -> UInt32? {
        guard let reply = get(property, of: window, offset: 0, words: 1, delete: false) else { return nil }
        defer { free(reply) }
        guard xcb_get_property_value_length(reply) == 4, let value = xcb_get_property_value(reply) else { return nil }
        return value.loadUnaligned(as: UInt32.self)
    }

    /// Reads a property, and deletes it. In an INCR transfer, the deletion makes the other program write the next
    /// chunk.
    ///
    /// - Parameter size: the property's size in bytes; the result is `nil` if it has changed.
    func take(_ property: xcb_atom_t, of window: xcb_window_t, size: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        let most = 64 * 1024
        repeat {
            guard
                let reply = get(
                    property, of: window, offset: UInt32(bytes.count / 4), words: UInt32(most), delete: true)
            else { return nil }
            defer { free(reply) }
            let count = Int(xcb_get_property_value_length(reply))
            guard bytes.count + count <= size, count > 0 || size == 0 else { return nil }
            if let value = xcb_get_property_value(reply) {
                bytes += UnsafeRawBufferPointer(start: value, count: count)
            }
            // The server deletes the property when its last byte is read.
            if reply.pointee.bytes_after == 0 { break }
        } while bytes.count < size
        return bytes.count == size ? bytes : nil
    }

    private func get(
        _ property: xcb_atom_t, of window: xcb_window_t, offset: UInt32, words: UInt32, delete: Bool
    ) -> UnsafeMutablePointer<xcb_get_property_reply_t>? {
        let cookie = xcb_get_property(raw, delete ? 1 : 0, window, property, 0, offset, words)
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        let reply = xcb_get_property_reply(raw, cookie, &error)
        free(error)
        return reply
    }

    /// Reads 32-bit numbers in this machine's byte order from a property's bytes.
    static func words(_ bytes: [UInt8]) -> [UInt32] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
    }

    func put(_ words: [UInt32], _ type: xcb_atom_t, to property: xcb_atom_t, of window: xcb_window_t) {
        xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 32, UInt32(words.count), words)
    }

    func put(_ bytes: ArraySlice<UInt8>, _ type: xcb_atom_t, to property: xcb_atom_t, of window: xcb_window_t) {
        bytes.withUnsafeBytes { raw in
            _ = xcb_change_property(
                self.raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 8, UInt32(raw.count),
                raw.baseAddress)
        }
    }

    /// The maximum number of property bytes in one request to the server.
    var mostPropertyBytes: Int { max(4096, Int(xcb_get_maximum_request_length(raw)) * 4 - 64) }

    /// Sends SelectionNotify to a requestor: the content is in `property`, or the request is refused if `property` is
    /// 0.
    func notify(_ request: xcb_selection_request_event_t, property: xcb_atom_t) {
        var notice = xcb_selection_notify_event_t()
        notice.response_type = UInt8(XCB_SELECTION_NOTIFY)
        notice.time = request.time
        notice.requestor = request.requestor
        notice.selection = request.selection
        notice.target = request.target
        notice.property = property
        // Every event is sent as 32 bytes.
        var event = [UInt8](repeating: 0, count: 32)
        withUnsafeBytes(of: notice) { event.replaceSubrange(0..<$0.count, with: $0) }
        event.withUnsafeBytes { raw in
            _ = xcb_send_event(
                self.raw, 0, request.requestor, 0, raw.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
    }
}
