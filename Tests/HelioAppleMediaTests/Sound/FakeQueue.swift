import HelioAppleMedia
import HelioCore
import Synchronization

/// A queue of a device's buffers that keeps what is played, and misbehaves when it is told to.
final class FakeQueue: OutputQueue, @unchecked Sendable {
    let plan: OutputPlan
    private let buffers: [UnsafeMutableRawBufferPointer]
    let consumed: @Sendable (Int) -> Void
    /// What is queued, in its order.
    private(set) var queued: [Int] = []
    /// The bytes of every buffer that was queued.
    private(set) var sizes: [Int] = []
    /// Everything that was played.
    private(set) var played: [UInt8] = []
    private(set) var isStarted = false
    private(set) var disposals = 0
    var refuses = false

    init(_ plan: OutputPlan, consumed: @escaping @Sendable (Int) -> Void) {
        self.plan = plan
        self.consumed = consumed
        buffers = (0..<OutputPlan.buffers).map { _ in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: plan.bytes, alignment: 16)
            // What was there before is heard where nothing is written.
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

    /// Plays the oldest buffer, and gives it back.
    func playOne() {
        guard !queued.isEmpty else { return }
        let index = queued.removeFirst()
        played += buffers[index]
        consumed(index)
    }
}
