private import Foundation

/// Changes the arguments of this program that the process list shows.
enum ProcessTitle {
    /// Overwrites the arguments, which may contain a link's secret, on Linux only.
    ///
    /// Other users of this machine can read the arguments for some milliseconds, until this call. A link on standard
    /// input or in a file avoids that.
    static func hideArguments() {
        #if os(Linux)
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            memset(argument, Int32(UInt8(ascii: " ")), strlen(argument))
        }
        #endif
    }
}
