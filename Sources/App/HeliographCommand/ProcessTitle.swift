private import Foundation

/// The arguments of this program as the process list shows them.
enum ProcessTitle {
    /// Overwrites the arguments, which may hold a link's secret.
    ///
    /// Until then, for some milliseconds, other users of this machine can read them: to avoid that, give the link on
    /// standard input or in a file.
    static func hideArguments() {
        #if os(Linux)
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            memset(argument, Int32(UInt8(ascii: " ")), strlen(argument))
        }
        #endif
    }
}
