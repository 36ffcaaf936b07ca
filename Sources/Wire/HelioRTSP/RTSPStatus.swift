/// A status code with its reason phrase (RFC 2326 section 7.1.1). Equality compares only the code, as the reason phrase
/// has no meaning for programs.
package struct RTSPStatus: Sendable, CustomStringConvertible {
    package let code: Int
    package let reason: String

    package init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// True for 200 ... 299.
    package var isSuccess: Bool { (200..<300).contains(code) }
    package var description: String { "\(code) \(reason)" }

    package static let ok = RTSPStatus(200, "OK")
    package static let badRequest = RTSPStatus(400, "Bad Request")
    package static let unauthorized = RTSPStatus(401, "Unauthorized")
    package static let forbidden = RTSPStatus(403, "Forbidden")
    package static let notFound = RTSPStatus(404, "Not Found")
    package static let methodNotAllowed = RTSPStatus(405, "Method Not Allowed")
    package static let notAcceptable = RTSPStatus(406, "Not Acceptable")
    package static let bodyTooLarge = RTSPStatus(413, "Request Entity Too Large")
    package static let unsupportedMediaType = RTSPStatus(415, "Unsupported Media Type")
    package static let parameterNotUnderstood = RTSPStatus(451, "Parameter Not Understood")
    package static let notEnoughBandwidth = RTSPStatus(453, "Not Enough Bandwidth")
    package static let sessionNotFound = RTSPStatus(454, "Session Not Found")
    package static let invalidState = RTSPStatus(455, "Method Not Valid in This State")
    package static let unsupportedTransport = RTSPStatus(461, "Unsupported Transport")
    package static let internalError = RTSPStatus(500, "Internal Server Error")
    package static let notImplemented = RTSPStatus(501, "Not Implemented")
    package static let serviceUnavailable = RTSPStatus(503, "Service Unavailable")
    package static let versionNotSupported = RTSPStatus(505, "RTSP Version not supported")
    package static let optionNotSupported = RTSPStatus(551, "Option not supported")
}

extension RTSPStatus: Hashable {
    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
