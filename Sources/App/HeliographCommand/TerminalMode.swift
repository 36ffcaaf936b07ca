private import Foundation
private import Synchronization

/// The usual mode of the person's terminal, while this program has set another.
///
/// Nothing here waits for the terminal to take what was written: one that was stopped (Ctrl-S) would keep the program from
/// ending.
enum TerminalMode {
    private static let usual = Mutex<termios?>(nil)

    /// Sets a mode, and keeps the one before for `restore`. False where nobody sits at a terminal.
    private static func set(_ change: (inout termios) -> Void) -> Bool {
        var mode = termios()
        guard TerminalQuestion.isPossible, tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
        let before = mode
        usual.withLock { if $0 == nil { $0 = before } }
        change(&mode)
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        return true
    }

    /// Gives keys one by one, without Enter.
    ///
    /// - Parameter echoes: whether the terminal still shows what is typed.
    static func setKeyByKey(echoes: Bool) -> Bool {
        set { mode in
            mode.c_lflag &= ~tcflag_t(echoes ? ICANON : ICANON | ECHO)
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
        }
    }

    /// Restores the terminal's usual mode, where it has another; before the program ends or is stopped.
    static func restore() {
        // Another program's terminal is not ours to change.
        guard
            var mode = usual.withLock({ usual in
                defer { usual = nil }
                return usual
            }), TerminalQuestion.isPossible
        else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
}
