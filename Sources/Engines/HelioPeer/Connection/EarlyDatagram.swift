import HelioCore

/// A DTLS datagram that came before it could be taken.
struct EarlyDatagram {
    /// The most that are kept: a flight of DTLS, twice.
    static let most = 8

    let bytes: [UInt8]
    let from: TransportAddress
    let base: TransportAddress
}
