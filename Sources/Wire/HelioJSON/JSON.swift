/// A JSON value (RFC 8259): a browser's message as parsed, before its fields are checked.
///
/// A number is a `Double`, as in the browser; whole numbers are exact up to 2^53. Text is UTF-8, and no string contains
/// a lone surrogate.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    package init(_ value: some BinaryInteger) { self = .number(Double(value)) }
}
