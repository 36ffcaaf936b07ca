import CXCB
import Glibc
import HelioCore

/// A connection to an X server that returns errors as values and throws if the server is lost.
final class X11Connection {
    let raw: OpaquePointer
    let root: xcb_window_t
    let screen: xcb_screen_t
    let displayName: String
    private(set) var rootSize: PixelSize

    /// Connects to a server. Throws `captureFailed` if it can't be reached.
    ///
    /// - Parameter display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`.
    init(display: String?) throws(HelioError) {
        var preferred: Int32 = 0
        let connection = xcb_connect(display, &preferred)
        displayName = Self.name(ofDisplay: display)
        guard let connection, xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection) else {
            if let connection { xcb_disconnect(connection) }
            let evidence = SessionProbe.look(
                at: SessionEvidence.Server(missing: displayName), isNamed: display != nil)
            throw CaptureWay.refusal(evidence)
                ?? HelioError(
                    .captureFailed,
                    displayName.isEmpty
                        ? "There is no X display."
                        : "The X display \(displayName) can't be opened: check its name and that access is allowed.",
                    remedy: displayName.isEmpty ? .chooseDisplay : nil)
        }
        var screens = xcb_setup_roots_iterator(setup)
        for _ in 0..<preferred where screens.rem > 1 { xcb_screen_next(&screens) }
        raw = connection
        screen = screens.data.pointee
        root = screen.root
        rootSize = PixelSize(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels))
        // Some window managers grab the server while a window is dragged, until the button is released. This connection
        // must be able to inject that release, and to capture, during the grab.
        if firstEvent(of: HELIO_XTEST) != nil { xcb_test_grab_control(raw, 1) }
    }

    deinit { xcb_disconnect(raw) }

    /// Returns the name of the display that is connected to: `display`, or the value of `$DISPLAY` for `nil`; empty if
    /// there is neither.
    static func name(ofDisplay display: String?) -> String { display ?? ProcessVariable.value("DISPLAY") ?? "" }

    var fileDescriptor: Int32 { xcb_get_file_descriptor(raw) }

    /// Throws if the connection has failed.
    func checkAlive() throws(HelioError) {
        if xcb_connection_has_error(raw) != 0 { throw lost }
    }

    /// Returns whether the server has RandR in this version or a later one.
    func hasRandR(_ major: UInt32, _ minor: UInt32) throws(HelioError) -> Bool {
        guard firstEvent(of: HELIO_RANDR) != nil,
            let version = try reply({ xcb_randr_query_version_reply(raw, xcb_randr_query_version(raw, 1, 5), $0) })
        else { return false }
        defer { free(version) }
        return (version.pointee.major_version, version.pointee.minor_version) >= (major, minor)
    }

    var lost: HelioError {
        HelioError(.captureFailed, "The X display \(displayName) is gone.")
    }

    /// Waits for a reply; `nil` if the server answered with an error. The caller frees it.
    func reply<T>(
        _ fetch: (UnsafeMutablePointer<UnsafeMutablePointer<xcb_generic_error_t>?>) -> UnsafeMutablePointer<T>?
    ) throws(HelioError) -> UnsafeMutablePointer<T>? {
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        let reply = fetch(&error)
        free(error)
        if reply == nil { try checkAlive() }
        return reply
    }

    /// Waits until the server has handled a request that has no reply; returns false if the server answered with an
    /// error.
    func succeeded(_ cookie: xcb_void_cookie_t) throws(HelioError) -> Bool {
        let error = xcb_request_check(raw, cookie)
        free(error)
        try checkAlive()
        return error == nil
    }

    /// Returns the event base (code of the first event) of an extension; `nil` if the server does not have the
    /// extension.
    func firstEvent(of kind: helio_xcb_extension) -> UInt8? {
        guard let data = helio_xcb_query(raw, kind), data.pointee.present != 0 else { return nil }
        return data.pointee.first_event
    }

    /// Queries the root window's present size.
    func updateRootSize() throws(HelioError) {
        guard let r = try reply({ xcb_get_geometry_reply(raw, xcb_get_geometry(raw, root), $0) }) else { return }
        rootSize = PixelSize(width: Int(r.pointee.width), height: Int(r.pointee.height))
        free(r)
    }

    /// Returns the next queued event, without waiting for one. The caller frees it.
    func nextEvent() throws(HelioError) -> UnsafeMutablePointer<xcb_generic_event_t>? {
        if let event = xcb_poll_for_event(raw) { return event }
        try checkAlive()
        return nil
    }
}
