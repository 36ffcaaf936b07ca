/// The place of adb's own server: a TCP port of this machine, to which phones on cables and by Wi-Fi are connected.
package struct ADBPlace: Sendable, Hashable {
    package static let standardPort = 5037

    package var host: String
    package var port: Int
    /// The path of the program `adb`, which starts the server; `nil` to look for it.
    package var program: String?

    package init(host: String = "127.0.0.1", port: Int = ADBPlace.standardPort, program: String? = nil) {
        self.host = host
        self.port = port
        self.program = program
    }
}
