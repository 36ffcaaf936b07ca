import HelioCore

/// A machine's clipboard, with a program that copies and one that pastes.
struct FakeMachine {
    private var serial: UInt64 = 0
    /// The content copied by a program here; `nil` if the clipboard has the other end's offer, or nothing.
    private(set) var copied: [ClipboardFormat: [UInt8]]?
    private(set) var offered: [ClipboardEntry] = []
    /// The results of pastes.
    private(set) var pasted: [PasteID: Result<[UInt8], ClipboardFailure>] = [:]
    private(set) var offers = 0
    private(set) var withdrawals = 0
    private(set) var reads = 0
    /// True if the copying program doesn't answer.
    var isSilent = false
    /// True if reads for the other end are refused.
    var isRefusing = false

    /// Copies content by a program; returns the clipboard's change.
    mutating func copy(
        _ content: [ClipboardFormat: [UInt8]], sizes: [ClipboardFormat: Int] = [:]
    ) -> (ClipboardSerial, [ClipboardEntry]) {
        serial += 1
        copied = content
        offered = []
        let formats = content.keys.sorted { $0.rawValue < $1.rawValue }
        return (ClipboardSerial(serial), formats.map { ClipboardEntry($0, size: sizes[$0]) })
    }

    mutating func offer(_ entries: [ClipboardEntry]) {
        offers += 1
        copied = nil
        offered = entries
    }

    mutating func withdraw() {
        withdrawals += 1
        offered = []
    }

    mutating func read(
        _ format: ClipboardFormat, of wanted: ClipboardSerial, limit: Int
    ) -> Result<[UInt8], ClipboardFailure>? {
        reads += 1
        if isSilent { return nil }
        if isRefusing { return .failure(.notAllowed) }
        guard wanted.rawValue == serial, let content = copied?[format] else { return .failure(.gone) }
        return content.count <= limit ? .success(content) : .failure(.tooLarge)
    }

    mutating func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        precondition(pasted[paste] == nil, "a paste is answered once")
        pasted[paste] = content
    }
}
