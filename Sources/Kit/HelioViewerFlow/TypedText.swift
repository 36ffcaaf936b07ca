/// The text that a touch keyboard sees and edits: what was typed last, and the marked text of an input method, which is
/// not typed yet, as for Chinese and Japanese. Positions count UTF-16 code units, as UIKit's do.
///
/// A host can't be asked for its text. So a correction of typed text becomes Delete keys and text, which is right as long
/// as the host's cursor is where typing has left it.
public struct TypedText: Sendable, Hashable {
    /// An edit to execute at the host.
    public enum Edit: Sendable, Hashable {
        /// Deletes that many characters before the cursor.
        case delete(Int)
        case type(String)
    }

    /// The number of code units that are remembered for corrections.
    public static let longest = 512

    /// The whole text, marked text included.
    public private(set) var text = ""
    /// The marked text's range; `nil` if there is none.
    public private(set) var marked: Range<Int>?

    /// Makes an empty text.
    public init() {}

    /// The length of the whole text.
    public var count: Int { text.utf16.count }

    /// Types text, in the place of the marked text if there is any.
    public mutating func insert(_ new: String) -> [Edit] {
        dropMarked()
        text += new
        // A new line is another place at the host.
        if let line = text.lastIndex(where: \.isNewline) { text = String(text[text.index(after: line)...]) }
        forget()
        return new.isEmpty ? [] : [.type(new)]
    }

    /// Shows text of an input method; nothing is typed yet.
    public mutating func setMarked(_ new: String) {
        dropMarked()
        guard !new.isEmpty else { return }
        let start = count
        text += new
        marked = start..<count
    }

    /// Types the marked text.
    public mutating func unmark() -> [Edit] {
        guard let marked else { return [] }
        self.marked = nil
        defer { forget() }
        return [.type(slice(marked))]
    }

    /// Deletes a character of the marked text, or the one before the host's cursor.
    public mutating func deleteBackward() -> [Edit] {
        let wasMarked = marked
        if !text.isEmpty { text.removeLast() }
        if let wasMarked {
            marked = count > wasMarked.lowerBound ? wasMarked.lowerBound..<count : nil
            return []
        }
        return [.delete(1)]
    }

    /// Replaces a range, as a correction or a word of a list does. What stands behind it is typed again.
    public mutating func replace(_ range: Range<Int>, with new: String) -> [Edit] {
        var edits = unmark()
        let range = range.clamped(to: 0..<count)
        let (before, old) = (slice(0..<range.lowerBound), slice(range.lowerBound..<count))
        let tail = slice(range.upperBound..<count)
        text = before + new + tail
        forget()
        if !old.isEmpty { edits.append(.delete(old.count)) }
        if !(new + tail).isEmpty { edits.append(.type(new + tail)) }
        return edits
    }

    /// Forgets the text: the host's cursor may be elsewhere now, as after a click or an arrow key.
    public mutating func reset() { self = TypedText() }

    /// Returns the text of a range; of a range beyond the text, what there is.
    public func slice(_ range: Range<Int>) -> String {
        let range = range.clamped(to: 0..<count)
        return String(decoding: Array(text.utf16)[range], as: UTF16.self)
    }

    private mutating func dropMarked() {
        guard let marked else { return }
        text = slice(0..<marked.lowerBound)
        self.marked = nil
    }

    private mutating func forget() {
        while count > Self.longest, !text.isEmpty { text.removeFirst() }
    }
}
