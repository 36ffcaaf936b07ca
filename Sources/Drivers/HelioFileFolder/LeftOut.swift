package import HelioTransferWire

/// What is not sent of what a person has chosen.
package struct LeftOut: Hashable, Sendable {
    package var path: String
    package var reason: FileRefusal
}
