import CXCB
import Foundation

/// Reports drawing on a screen, by a separate X connection: another thread may read events on the desktop's.
final class ScreenChanges {
    private let connection: OpaquePointer
    private let damage: xcb_damage_damage_t

    init(_ display: String) throws(Desktop.NoDisplay) {
        guard let connection = xcb_connect(display, nil) else { throw Desktop.NoDisplay() }
        self.connection = connection
        damage = xcb_generate_id(connection)
        guard xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection),
            let version = xcb_damage_query_version_reply(connection, xcb_damage_query_version(connection, 1, 1), nil)
        else { throw Desktop.NoDisplay() }
        free(version)
        let root = xcb_setup_roots_iterator(setup).data.pointee.root
        // A single event is sent, and no further one until `forget`.
        xcb_damage_create(connection, damage, root, UInt8(XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY.rawValue))
    }

    deinit { xcb_disconnect(connection) }

    /// Discards all changes so far: `wait` returns for later ones.
    func forget() {
        // Each event that is taken is followed by another subtraction; otherwise there would be no further event. If
        // the screen keeps changing, the last event stays, and counts as a change.
        for _ in 0..<4 {
            xcb_damage_subtract(connection, damage, 0, 0)
            free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
            guard takeEvent() else { return }
            while takeEvent() {}
        }
        xcb_damage_subtract(connection, damage, 0, 0)
        xcb_flush(connection)
    }

    /// Waits for a change; returns false after the time-out, or if the server is gone.
    func wait(_ patience: Patience) -> Bool {
        while true {
            if takeEvent() { return true }
            guard xcb_connection_has_error(connection) == 0,
                patience.waitToRead(xcb_get_file_descriptor(connection))
            else { return false }
        }
    }

    /// Takes an event; only damage events arrive on this connection.
    private func takeEvent() -> Bool {
        guard let event = xcb_poll_for_event(connection) else { return false }
        free(event)
        return true
    }
}
