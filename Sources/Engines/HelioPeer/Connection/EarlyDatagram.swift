import HelioCore

/// A DTLS datagram received before there was an association, or from an address that ICE had not proven.
struct EarlyDatagram {
    /// The most datagrams kept: twice a DTLS flight.
    static let most = 8

    let bytes: [UInt8]
    let from: TransportAddress
    let base: TransportAddress
}
