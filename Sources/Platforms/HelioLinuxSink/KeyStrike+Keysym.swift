internal import CSDL2
internal import HelioCore
internal import HelioWindow

extension KeyStrike {
    /// Makes the key press of a keysym (X11 protocol, appendix A; keysymdef.h).
    init(keysym: UInt32) {
        let role: Role =
            switch keysym {
            // ISO_Level2_Latch to ISO_Level5_Lock, including the group keys, and Mode_switch.
            case 0xFE02...0xFE13, 0xFF7E: .levelShift
            // Dead keys, Multi_key (compose), and no keysym.
            case 0xFE50...0xFE93, 0xFF20, 0: .silent
            default: .plain
            }
        // Function keys type no character. The keypad's keysyms are in the same range; SDL reports their digits as
        // text.
        let scalar = (0xFD00...0xFFFF).contains(keysym) ? 0 : xkb_keysym_to_utf32(keysym)
        self.init(character: scalar == 0 ? nil : Unicode.Scalar(scalar), role: role)
    }
}
