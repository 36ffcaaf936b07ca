import HelioCore

/// What came before it could be taken.
struct EarlyDatagram {
    /// So many are kept: a flight of DTLS, twice.
    static let most = 8

    let bytes: [UInt8]
    let from: TransportAddress
    let base: TransportAddress
}
