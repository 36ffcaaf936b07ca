/// An answer, as it stood on the wire.
struct HTTPAnswer {
    var status: Int
    var headers: [String: String]
    var content: [UInt8]

    var text: String { String(decoding: content, as: UTF8.self) }
}
