import CXCB
import Glibc

/// The buttons to press so that programs get a given one: whoever is left-handed at the host, or scrolls the other way,
/// has its X server exchange them (`xmodmap`, a desktop's settings), and the viewer's system has done the same already.
struct ButtonNumbers {
    /// What each button is to programs, from button 1 on; 0: it is switched off. Empty: not asked yet.
    private var map: [UInt8] = []

    /// Takes the server's report that the buttons were exchanged.
    mutating func forget() { map = [] }

    /// The button that is `number` to programs; the button itself where none is.
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
