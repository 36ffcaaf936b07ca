/// An HTTP response as received.
struct HTTPAnswer {
    var status: Int
    var headers: [String: String]
    var content: [UInt8]

    var text: String { String(decoding: content, as: UTF8.self) }
}
