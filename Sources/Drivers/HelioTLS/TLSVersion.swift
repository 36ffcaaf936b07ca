/// The oldest version of TLS that is accepted.
package enum TLSVersion: Sendable {
    case tls12, tls13
}
