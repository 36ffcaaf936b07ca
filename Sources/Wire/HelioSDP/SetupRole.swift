/// `a=setup:active`: which end opens the connection (RFC 4145 section 4).
package enum SetupRole: String, AttributeValue {
    case active
    case passive
    case either = "actpass"
    case hold = "holdconn"

    package static let attributeName = "setup"
    package init?(attributeValue: String?) {
        guard let attributeValue else { return nil }
        self.init(rawValue: attributeValue)
    }
    package var attributeValue: String? { rawValue }
}
