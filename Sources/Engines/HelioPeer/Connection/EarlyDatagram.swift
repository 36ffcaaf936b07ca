import HelioCore

/// A DTLS datagram received before the DTLS association was made, or from an address that ICE had not verified yet.
struct EarlyDatagram {
    /// The maximum number of datagrams kept, enough for two DTLS flights.
    static let most = 8

    let bytes: [UInt8]
    let from: TransportAddress
    let base: TransportAddress
}
