package import HelioCore

/// The keys of the window's own commands: Ctrl+Alt+Shift and a letter, an arrow, Page Up or Page Down.
///
/// Few programs use all three modifiers together, and the host gets all other keys, including F1 and the right Ctrl.
/// The modifiers are sent to the host too, and released there when the command's key is pressed.
extension WindowCommand {
    /// The USB HID usage (page 7) of the command's key.
    package var usage: UInt16 {
        switch self {
        case .toggleFullScreen: 0x09  // F
        case .toggleStatistics: 0x16  // S
        case .nextScaleMode: 0x1D  // Z
        case .togglePointerLock: 0x10  // M
        case .toggleKeyboardGrab: 0x0E  // K
        case .toggleKeys: 0x0F  // L
        case .changeDriver: 0x07  // D
        case .nextMonitor: 0x11  // N
        case .toggleSound: 0x04  // A
        case .toggleMicrophone: 0x19  // V
        case .toggleClipboard: 0x06  // C
        case .takeFiles: 0x17  // T
        case .declineFiles: 0x15  // R
        case .louder: 0x4B  // Page Up
        case .quieter: 0x4E  // Page Down
        case .toggleHelp: 0x0B  // H
        case .quit: 0x14  // Q
        case .scrollRight: 0x4F
        case .scrollLeft: 0x50
        case .scrollDown: 0x51
        case .scrollUp: 0x52
        }
    }

    /// The lines of the help overlay; the keys in them must match `usage`.
    package static let help: [String] = [
        "Ctrl+Alt+Shift and:",
        "  F  full screen on and off",
        "  S  statistics",
        "  Z  size: fit, 1:1, whole multiples",
        "  arrows  scroll a picture larger than the window",
        "  M  lock and release the pointer",
        "  K  all keys to the host, and back",
        "  L  keys by their character, by their place",
        "  D  ask to drive, or let others drive",
        "  N  the host's next monitor",
        "  A  the host's sound on and off",
        "  V  your microphone on and off",
        "  C  the shared clipboard on and off",
        "  T  take the files that are offered",
        "  R  refuse the files that are offered",
        "  Page Up, Page Down  louder, quieter",
        "  H  this help",
        "  Q  leave",
    ]
}
