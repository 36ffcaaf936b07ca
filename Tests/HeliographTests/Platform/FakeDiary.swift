/// The events of a fake in order, for one reader.
final class FakeDiary: Sendable {
    struct Ended: Error {}

    private let entries: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (entries, continuation) = AsyncStream.makeStream(of: String.self) }

    func write(_ entry: String) { continuation.yield(entry) }

    var reader: Reader { Reader(iterator: entries.makeAsyncIterator()) }

    struct Reader {
        fileprivate var iterator: AsyncStream<String>.Iterator
        private(set) var seen: [String] = []

        fileprivate init(iterator: AsyncStream<String>.Iterator) { self.iterator = iterator }

        /// Waits for an entry, unless it was read already.
        mutating func find(_ entry: String, isolation: isolated (any Actor)? = #isolation) async throws {
            while !seen.contains(entry) {
                guard let next = await iterator.next(isolation: isolation) else { throw Ended() }
                seen.append(next)
            }
        }
    }
}
