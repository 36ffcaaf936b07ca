/// The meaning of the sentence with which adb's server or a device refuses a request.
package enum ADBRefusal: Sendable, Hashable {
    case unauthorized
    case offline
    case noPermissions
    case moreThanOne
    case noDevice
    /// The device refused the service: nobody listens at that socket, or its Android is too old for the service.
    case closed
    /// The server does not know the request: it is older than this program expects.
    case unknownRequest
    /// Another reason, shortened and of one line.
    case other(String)

    /// Reads a sentence by words that all versions of adb since 2013 have in common.
    package init(_ reason: String) {
        let text = reason.lowercased()
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        self =
            if says("unauthorized", "still authorizing") {
                .unauthorized
            } else if says("no permissions", "insufficient permissions", "access denied") {
                .noPermissions
            } else if says("more than one") {
                .moreThanOne
            } else if says("offline", "still connecting") {
                .offline
            } else if says("unknown host service") {
                .unknownRequest
            } else if says("not found", "no devices", "device disconnected") {
                .noDevice
            } else if text == "closed" {
                .closed
            } else {
                .other(Self.line(reason))
            }
    }

    /// The first line of a foreign text, at most 120 characters long and without control characters.
    package static func line(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        return String(line.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.prefix(120).map(Character.init))
    }
}
