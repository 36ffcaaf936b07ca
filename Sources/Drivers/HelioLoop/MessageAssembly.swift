package import NIOCore

/// Assembles a WebSocket's message from its fragments (RFC 6455 section 5.4).
package struct MessageAssembly {
    package enum Failure: Error {
        case oversized
        /// The message has more fragments than any browser sends.
        case tooManyPieces
        /// A continuation without a first fragment, or another message before the last fragment.
        case outOfOrder
    }

    private static let maximumPieces = 64

    private let maximumSize: Int
    private var pieces = 0
    private var bytes: [UInt8] = []

    package init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// - Returns: the message if this fragment completes it; otherwise `nil`.
    package mutating func take(_ piece: ByteBuffer, isFirst: Bool, isLast: Bool) throws(Failure) -> [UInt8]? {
        guard isFirst == (pieces == 0) else { throw .outOfOrder }
        guard piece.readableBytes <= maximumSize - bytes.count else { throw .oversized }
        guard pieces < Self.maximumPieces else { throw .tooManyPieces }
        bytes.append(contentsOf: piece.readableBytesView)
        pieces += 1
        guard isLast else { return nil }
        defer {
            bytes = []
            pieces = 0
        }
        return bytes
    }
}
