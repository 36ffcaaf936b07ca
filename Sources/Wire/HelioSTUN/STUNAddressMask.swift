/// The mask for XOR-MAPPED-ADDRESS (RFC 8489 section 14.2), which hides the address from NATs that rewrite addresses in
/// the payload; all zero for the attributes without XOR.
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
