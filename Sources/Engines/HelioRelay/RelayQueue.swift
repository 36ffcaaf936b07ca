private import DequeModule
import HelioCore

/// The queue of chunks for the socket, with byte counts by content.
struct RelayQueue: Sendable {
    private var chunks = Deque<RelayChunk>()
    private(set) var pictureBytes = 0
    private(set) var soundBytes = 0
    private var controlBytes = 0

    var isEmpty: Bool { chunks.isEmpty }
    var bytes: Int { pictureBytes + soundBytes + controlBytes }
    var hasPictures: Bool { pictureBytes > 0 }
    var first: RelayChunk? { chunks.first }

    mutating func append(_ chunk: RelayChunk) {
        chunks.append(chunk)
        add(chunk, 1)
    }

    mutating func popFirst() -> RelayChunk? {
        guard let chunk = chunks.popFirst() else { return nil }
        add(chunk, -1)
        return chunk
    }

    func contains(picture index: UInt64) -> Bool {
        chunks.contains { if case .picture(index, _, _) = $0.content { true } else { false } }
    }

    /// Removes all pictures. Returns the number of pictures of which any slice was queued.
    mutating func removePictures() -> Int {
        var seen: UInt64?
        var count = 0
        for chunk in chunks {
            guard case .picture(let index, _, _) = chunk.content, index != seen else { continue }
            seen = index
            count += 1
        }
        chunks.removeAll(where: \.isPicture)
        pictureBytes = 0
        return count
    }

    /// Removes the oldest packet of sound. Returns false if there is none.
    mutating func removeOldestSound() -> Bool {
        guard let index = chunks.firstIndex(where: { $0.content == .sound }) else { return false }
        add(chunks.remove(at: index), -1)
        return true
    }

    /// Removes a format message at the end of the queue, if there is one, as a new format replaces it.
    mutating func removeLastFormat() {
        guard chunks.last?.content == .format, let chunk = chunks.popLast() else { return }
        add(chunk, -1)
    }

    /// Removes all chunks. Returns the number of packets of sound among them.
    mutating func removeAll() -> Int {
        let sounds = chunks.count { $0.content == .sound }
        self = RelayQueue()
        return sounds
    }

    private mutating func add(_ chunk: RelayChunk, _ sign: Int) {
        let count = chunk.bytes.count * sign
        switch chunk.content {
        case .control, .format: controlBytes += count
        case .sound: soundBytes += count
        case .picture: pictureBytes += count
        }
    }
}
