internal import NIOCore

/// Puts a message together that came in pieces (RFC 6455 section 5.4).
struct MessageAssembly {
    enum Failure: Error {
        case oversized
        /// Browsers cut a message that we take in a few pieces, if at all: more only cost time.
        case tooManyPieces
        /// A piece of nothing, or another message in the midst of one.
        case outOfOrder
    }

    private static let maximumPieces = 64

    private let maximumSize: Int
    private var pieces = 0
    private var bytes: [UInt8] = []

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// - Returns: the message, once it is whole.
    mutating func take(_ piece: ByteBuffer, isFirst: Bool, isLast: Bool) throws(Failure) -> [UInt8]? {
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
