import HelioTOML

/// Fuzzes the TOML reader. Each value survives a round trip; a document whose keys are changed, added and removed keeps
/// all its other entries; and an error's line is within the text.
package enum TOMLFuzz {
    package static func run(_ bytes: [UInt8]) {
        let limits = TOMLLimits(bytes: 4096, entries: 64, items: 16)
        let document: TOMLDocument
        do {
            document = try TOMLDocument(parsing: bytes, limits: limits)
        } catch {
            let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
            precondition((1...lines).contains(error.line), "error outside of the text")
            precondition(!error.sentence.isEmpty, "error without a reason")
            return
        }
        for entry in document.entries.prefix(8) {
            // Changed documents may exceed the limits, which is no fault.
            if let same = try? document.setting(entry.table, entry.key, to: entry.value) {
                precondition(contents(same) == contents(document), "an entry changed on its way")
            }
            guard let less = try? document.removing(entry.table, entry.key) else { preconditionFailure("not removed") }
            let others = contents(document).filter { $0.table != entry.table || $0.key != entry.key }
            precondition(contents(less) == others, "an entry was lost with another")
        }
        for table in Set(document.entries.map(\.table)).prefix(4) + ["a table of its own"] {
            let key = "a key of its own"
            guard document.entry(table, key) == nil, let more = try? document.setting(table, key, to: .integer(1))
            else {
                continue
            }
            precondition(more.entry(table, key)?.value == .integer(1), "an added key is not there")
            let rest = contents(more).filter { $0.table != table || $0.key != key }
            precondition(rest == contents(document), "an entry was lost beside an added one")
        }
    }

    private struct Content: Equatable {
        let table: String
        let key: String
        let value: TOMLValue
    }

    /// The entries without their lines. Tables keep their order, so that entries do, too.
    private static func contents(_ document: TOMLDocument) -> [Content] {
        document.entries.map { Content(table: $0.table, key: $0.key, value: $0.value) }
    }
}
