import HelioAppleMedia
import HelioCore
import Synchronization

/// An output queue that records the played bytes, and whose faults tests inject.
final class FakeQueue: OutputQueue, @unchecked Sendable {
    let plan: OutputPlan
    private let buffers: [UnsafeMutableRawBufferPointer]
    let consumed: @Sendable (Int) -> Void
    /// The queued buffers, in order.
    private(set) var queued: [Int] = []
    /// The size in bytes of every buffer that was queued.
    private(set) var sizes: [Int] = []
    /// All bytes that were played.
    private(set) var played: [UInt8] = []
    private(set) var isStarted = false
    private(set) var disposals = 0
    var refuses = false

    init(_ plan: OutputPlan, consumed: @escaping @Sendable (Int) -> Void) {
        self.plan = plan
        self.consumed = consumed
        buffers = (0..<OutputPlan.buffers).map { _ in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: plan.bytes, alignment: 16)
            // Filled with 0x7F, so that playing unwritten bytes shows.
            buffer.initializeMemory(as: UInt8.self, repeating: 0x7F)
            return buffer
        }
    }

    deinit { for buffer in buffers { buffer.deallocate() } }

    func withBuffer(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) { body(buffers[index]) }

    func enqueue(_ index: Int, bytes: Int) throws(HelioError) {
        if refuses { throw HelioError(.systemFailed, "refused") }
        queued.append(index)
        sizes.append(bytes)
    }

    func start() { isStarted = true }
    func dispose() { disposals += 1 }

    /// Plays the oldest buffer, and returns it to its owner.
    func playOne() {
        guard !queued.isEmpty else { return }
        let index = queued.removeFirst()
        played += buffers[index]
        consumed(index)
    }
}
