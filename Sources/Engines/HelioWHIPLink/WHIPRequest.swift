/// A request to a WHIP server, for a driver to send. Its token is in no description.
package struct WHIPRequest: Sendable, Hashable {
    package enum Method: String, Sendable, Hashable {
        case post = "POST"
        case delete = "DELETE"
    }

    package var method: Method
    package var target: HTTPTarget
    /// The fields beside `Host`, `Content-Length` and `Connection`, which are the driver's.
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// True for the first request of a session: the others go to the very address that this one went to, whatever the
    /// host's name has come to mean.
    package var isFirst = false
}

extension WHIPRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(method.rawValue) \(target)" }
    package var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
