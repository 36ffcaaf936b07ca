/// A datagram with the path to send it on.
package struct AddressedDatagram: Sendable {
    package var bytes: [UInt8]
    package var path: PathID

    package init(bytes: [UInt8], path: PathID) {
        self.bytes = bytes
        self.path = path
    }
}
