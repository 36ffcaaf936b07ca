/// A JSON value (RFC 8259): the first form of a browser's message, before its fields are checked.
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
