/// The type of a DNS record (RFC 1035 section 3.2.2, RFC 3596).
enum DNSType: UInt16 {
    case a = 1
    case aaaa = 28
}
