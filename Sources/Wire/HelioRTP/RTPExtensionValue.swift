import HelioCore

/// A value of a header extension's element: conversion from its bytes and back.
///
/// The element's number is agreed on in SDP, by the URI (RFC 8285 section 5).
package protocol RTPExtensionValue: Hashable, Sendable {
    static var uri: String { get }
    /// Reads the data; `nil` if it does not have the kind's form.
    init?(data: RawSpan)
    /// Appends the data, without what stands before it in the packet.
    func write(into data: inout [UInt8])
}

extension RTPExtensionValue {
    /// The element of this number, for ``RTPHeaderExtension/write(_:into:)``.
    package func element(id: UInt8) -> RTPHeaderExtension.Element {
        var data: [UInt8] = []
        write(into: &data)
        return RTPHeaderExtension.Element(id: id, data: data)
    }

    /// Reads the element `id` of a packet; `nil` if there is none, or its data is malformed.
    package init?(id: UInt8, of header: RTPHeader, in packet: RawSpan) {
        guard let range = RTPHeaderExtension.find(id: id, of: header, in: packet) else { return nil }
        self.init(data: packet.extracting(range))
    }
}
