/// A request to a WHIP server, for a driver to send. No description contains its token.
package struct WHIPRequest: Sendable, Hashable {
    package enum Method: String, Sendable, Hashable {
        case post = "POST"
        case delete = "DELETE"
    }

    package var method: Method
    package var target: HTTPTarget
    /// The header fields, except `Host`, `Content-Length` and `Connection`, which the driver adds.
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// True for the first request of a session. Later requests are sent to the same IP address as the first, even if
    /// the host's name resolves to another address by then.
    package var isFirst = false
}

extension WHIPRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(method.rawValue) \(target)" }
    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
