/// The oldest version that is spoken.
package enum TLSVersion: Sendable {
    case tls12, tls13
}
