/// A running X server, as its command line describes it.
package struct XServerProgram: Sendable, Hashable {
    /// The display, such as `:0`; `nil` if the server chose it itself (`-displayfd`).
    package var display: String?
    /// The file with the key that programs need to connect (`-auth`); `nil` if none is named.
    package var authority: String?
    /// The number of the virtual terminal; 0 if none is named.
    package var terminal = 0
    /// The ID of the user that the server runs as. Any user can call a program by a server's name.
    package var owner: UInt32 = 0

    /// Parses a command line; `nil` unless it is that of an X server with a screen of its own.
    package init?(_ arguments: [String]) {
        guard let program = arguments.first, Self.isServer(program) else { return nil }
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if word == "-auth" {
                authority = rest.popFirst()
            } else if word.hasPrefix(":"), word.dropFirst().allSatisfy(\.isNumber), word.count > 1 {
                display = word
            } else if word.hasPrefix("vt"), let number = Int(word.dropFirst(2)) {
                terminal = number
            }
        }
    }

    /// Returns whether a program's path is that of an X server.
    static func isServer(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return ["X", "Xorg", "Xorg.bin", "Xvfb", "Xephyr", "Xvnc", "Xtigervnc"].contains(name)
    }
}
