private import Foundation
private import Synchronization

/// Changes the terminal's mode, and stores the original mode to restore it later.
///
/// No call waits for pending output, as a stopped terminal (Ctrl-S) would then keep the program from ending.
enum TerminalMode {
    private static let usual = Mutex<termios?>(nil)

    /// Changes the mode, and stores the original mode for `restore`. Returns false if there is no interactive terminal.
    private static func set(_ change: (inout termios) -> Void) -> Bool {
        var mode = termios()
        guard TerminalQuestion.isPossible, tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
        let before = mode
        usual.withLock { if $0 == nil { $0 = before } }
        change(&mode)
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        return true
    }

    /// Makes the terminal deliver keys one by one, without Enter. Returns false if there is no interactive terminal.
    ///
    /// - Parameter echoes: true if the terminal still shows typed keys.
    static func setKeyByKey(echoes: Bool) -> Bool {
        set { mode in
            mode.c_lflag &= ~tcflag_t(echoes ? ICANON : ICANON | ECHO)
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
        }
    }

    /// Restores the terminal's original mode, if it was changed; called before the program ends or is suspended.
    static func restore() {
        // The mode must not be changed while another program is in the terminal's foreground.
        guard
            var mode = usual.withLock({ usual in
                defer { usual = nil }
                return usual
            }), TerminalQuestion.isPossible
        else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
}
