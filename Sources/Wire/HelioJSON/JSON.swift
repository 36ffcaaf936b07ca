/// A JSON value (RFC 8259): what a message of the browser's is before anything is known of it.
///
/// A number is a `Double`, as in the browser itself; whole numbers are exact up to 2^53. Text is UTF-8, and no string
/// holds half a surrogate pair.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    package init(_ value: some BinaryInteger) { self = .number(Double(value)) }
}
