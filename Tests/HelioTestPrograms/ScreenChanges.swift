import CXCB
import Foundation

/// Tells when anything is drawn on a screen, by a connection of its own: another thread may read what comes by the
/// desktop's.
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
        // One event, and no more until `forget`.
        xcb_damage_create(connection, damage, root, UInt8(XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY.rawValue))
    }

    deinit { xcb_disconnect(connection) }

    /// Forgets all changes so far: `wait` returns for those that come after this call.
    func forget() {
        // An event that is taken is followed by another subtraction, without which there would be no further one. Where
        // the screen goes on changing, the last event stays, and is a change.
        for _ in 0..<4 {
            xcb_damage_subtract(connection, damage, 0, 0)
            free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
            guard takeEvent() else { return }
            while takeEvent() {}
        }
        xcb_damage_subtract(connection, damage, 0, 0)
        xcb_flush(connection)
    }

    /// Waits for a change; false where patience ends first, or the server is gone.
    func wait(_ patience: Patience) -> Bool {
        while true {
            if takeEvent() { return true }
            guard xcb_connection_has_error(connection) == 0,
                patience.waitToRead(xcb_get_file_descriptor(connection))
            else { return false }
        }
    }

    /// No events but those of the damage come here.
    private func takeEvent() -> Bool {
        guard let event = xcb_poll_for_event(connection) else { return false }
        free(event)
        return true
    }
}
