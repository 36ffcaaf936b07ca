package import HelioTransferWire

/// A chosen file or folder that is not sent, with the reason.
package struct LeftOut: Hashable, Sendable {
    package var path: String
    package var reason: FileRefusal
}
