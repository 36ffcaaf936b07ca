/// The mask that an XOR-MAPPED-ADDRESS is combined with (RFC 8489 section 14.2), so that a NAT which rewrites addresses
/// in the payload does not find them; all zero for the attributes that are in clear.
struct STUNAddressMask {
    let port: UInt16
    let v4: UInt32
    let high: UInt64
    let low: UInt64

    init(_ transaction: STUNTransactionID?) {
        let cookie: UInt32 = transaction == nil ? 0 : STUNMessage.magicCookie
        port = UInt16(cookie >> 16)
        v4 = cookie
        high = UInt64(cookie) << 32 | UInt64(transaction?.high ?? 0)
        low = transaction?.low ?? 0
    }
}
