import CXCB
import Glibc

/// Finds the physical button to press so that programs get a given logical button. Users who are left-handed or scroll
/// the other way have the host's X server exchange the buttons (`xmodmap`, a desktop's settings), and the viewer's
/// system has done the same already.
struct ButtonNumbers {
    /// The logical number of each button, from button 1 on; 0 if it is switched off. Empty before the first query.
    private var map: [UInt8] = []

    /// Handles the server's report that the buttons were exchanged.
    mutating func forget() { map = [] }

    /// Returns the button that is `number` to programs; `number` itself if there is none.
    mutating func pressed(for number: UInt8, _ x: X11Connection) -> UInt8 {
        if map.isEmpty { learn(x) }
        guard let index = map.firstIndex(of: number) else { return number }
        return UInt8(index + 1)
    }

    private mutating func learn(_ x: X11Connection) {
        map = Array(1...31)
        let reply = try? x.reply { xcb_get_pointer_mapping_reply(x.raw, xcb_get_pointer_mapping(x.raw), $0) }
        guard let reply else { return }
        defer { free(reply) }
        guard let first = xcb_get_pointer_mapping_map(reply), reply.pointee.map_len > 0 else { return }
        map = Array(UnsafeBufferPointer(start: first, count: min(31, Int(reply.pointee.map_len))))
    }
}
