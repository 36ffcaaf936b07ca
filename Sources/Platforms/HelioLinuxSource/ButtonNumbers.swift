import CXCB
import Glibc

/// Maps the viewer's logical button numbers to the host's physical ones. A user who is left-handed or scrolls the other
/// way has the host's X server remap the buttons (`xmodmap`, a desktop's settings). The viewer's system has already
/// remapped them, so the host's map is inverted here.
struct ButtonNumbers {
    /// The logical number of each physical button, from button 1 on; 0 if the button is disabled. Empty if it must be
    /// queried.
    private var map: [UInt8] = []

    /// Discards the cached map, after the server's MappingNotify about buttons.
    mutating func forget() { map = [] }

    /// Returns the physical button that programs get as the logical button `number`; `number` itself if no button is
    /// mapped to it.
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
