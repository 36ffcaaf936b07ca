import Foundation
import HelioCore
import HelioTransferWire
import Testing

/// The vectors of `Testing/Vectors/transfer.json`, which documents itself in `about`.
struct TransferVectors: Decodable, Sendable {
    var clipboard: Clipboard
    var files: Files

    struct Clipboard: Decodable, Sendable {
        var messages: [Vector]
        var native: [Vector]
        var hostile: [Hostile]
    }

    struct Files: Decodable, Sendable {
        var reasons: [String]
        var messages: [Vector]
        var hostile: [Hostile]
        var badPaths: [[String]]
        var badNames: [[UInt8]]
    }

    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var message: Message
        var bytes: [UInt8]

        var testDescription: String { "kind \(bytes[0]), \(bytes.count) bytes" }
    }

    struct Hostile: Decodable, Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        /// The raw value of a `TransferWireError`.
        var error: String

        var testDescription: String { "\(bytes)" }
    }

    /// A message of either kind; its type determines its members.
    struct Message: Decodable, Sendable {
        var type: String
        var maySend: Bool?
        var mayReceive: Bool?
        var mostBytes: UInt32?
        var serial: UInt32?
        var entries: [ClipboardFormatSize]?
        var id: UInt32?
        var format: String?
        var isLast: Bool?
        var bytes: [UInt8]?
        var total: UInt64?
        var reason: String?
        var count: UInt32?
        var size: UInt64?
        var name: String?
        var index: UInt32?
        var entry: File?
        var offset: UInt64?
        var digest: [UInt8]?
        var next: UInt32?
        var failed: UInt32?
    }

    struct ClipboardFormatSize: Decodable, Sendable {
        var format: String
        var size: Int?
    }

    struct File: Decodable, Sendable {
        var path: [String]
        var isFolder: Bool
        var size: UInt64
        var modified: UInt64
    }

    /// Thrown when a message lacks a member, or has an unknown type or name.
    struct Unknown: Error {
        var type: String
    }

    static func load() throws -> TransferVectors {
        let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/transfer.json").standardized
        return try JSONDecoder().decode(TransferVectors.self, from: Data(contentsOf: file))
    }
}

extension TransferVectors.Message {
    /// The batch of all messages about files.
    static let batch = BatchID(0x0102_0304_0506_0708)

    /// Returns the message as one about the clipboard.
    func ofClipboard() throws -> TransferMessage {
        switch type {
        case "terms":
            return try .terms(
                ClipboardTerms(maySend: given(maySend), mayReceive: given(mayReceive), mostBytes: given(mostBytes)))
        case "offer":
            let offered = try given(entries).map { try ClipboardEntry(named($0.format), size: $0.size) }
            return try .offer(ClipboardOffer(serial: given(serial), entries: offered))
        case "request": return try .request(transfer(), serial: given(serial), named(format))
        case "data": return try .data(transfer(), isLast: given(isLast), given(bytes))
        case "credit": return try .credit(transfer(), total: UInt32(given(total)))
        case "refuse": return try .refuse(transfer(), named(reason))
        case "cancel": return try .cancel(transfer())
        case "leaving": return .leaving
        case "kept": return .kept
        default: throw TransferVectors.Unknown(type: type)
        }
    }

    /// Returns the message as one about files.
    func aboutFiles() throws -> FileMessage {
        let batch = Self.batch
        switch type {
        case "offer":
            return try .offer(FileOffer(batch, count: given(count), bytes: given(size), name: given(name)))
        case "entry":
            let file = try given(entry)
            let sent = FileEntry(path: file.path, isFolder: file.isFolder, size: file.size, modified: file.modified)
            return try .entry(batch, index: given(index), sent)
        case "begin": return try .begin(batch, offset: given(offset))
        case "data": return try .data(batch, given(bytes))
        case "end": return try .end(batch, FileDigest(given(digest)))
        case "skip": return try .skip(batch, index: given(index), named(reason))
        case "withdraw": return try .withdraw(batch, named(reason))
        case "accept": return try .accept(batch, next: given(next), failed: given(failed))
        case "refuse": return try .refuse(batch, named(reason))
        case "want":
            return try .want(batch, index: given(index), offset: given(offset), digest.map { FileDigest($0) })
        case "credit": return try .credit(batch, total: given(total))
        case "verdict":
            let refusal: FileRefusal? = try reason == nil ? nil : named(reason)
            return try .verdict(batch, index: given(index), refusal)
        default: throw TransferVectors.Unknown(type: type)
        }
    }

    private func transfer() throws -> TransferID { TransferID(try given(id)) }

    private func given<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw TransferVectors.Unknown(type: type) }
        return value
    }

    /// Returns the case with this name.
    private func named<Value: CaseIterable>(_ name: String?) throws -> Value {
        try given(Value.allCases.first { "\($0)" == name })
    }
}
