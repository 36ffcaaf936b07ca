import Glibc

/// Waits until x264's threads no longer use a picture's reconstruction.
///
/// `x264_encoder_encode` returns once the last slice is complete, while slice threads still extend the edges of the
/// reconstruction, into which `PatchCoder` is about to write. x264 has no call that waits for them. But the last action
/// of the last thread is to free the picture's map of constant macroblocks (`mb_info_free`), after it has waited for
/// the previous thread. So with two threads, both have then finished.
final class ReconstructionGate {
    /// The size in bytes of the header before the map. x264's callback gets only the map; the header holds the pointer
    /// to the semaphore.
    private static let headerSize = 64

    private let storage: UnsafeMutableRawPointer
    private let blocks: Int
    private let isFree: UnsafeMutablePointer<sem_t>

    /// - Parameter blocks: the number of macroblocks of a picture.
    init(blocks: Int) {
        self.blocks = blocks
        storage = .allocate(byteCount: Self.headerSize + blocks, alignment: Self.headerSize)
        isFree = .allocate(capacity: 1)
        sem_init(isFree, 0, 0)
        storage.storeBytes(of: isFree, as: UnsafeMutablePointer<sem_t>.self)
    }

    deinit {
        sem_destroy(isFree)
        isFree.deallocate()
        storage.deallocate()
    }

    /// Returns a copy of a picture's map, to pass to x264 as `mb_info` with `giveBack` as `mb_info_free`.
    func lend(_ map: UnsafePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let lent = (storage + Self.headerSize).assumingMemoryBound(to: UInt8.self)
        lent.update(from: map, count: blocks)
        return lent
    }

    static let giveBack: @convention(c) (UnsafeMutableRawPointer?) -> Void = { map in
        guard let map else { return }
        sem_post((map - headerSize).load(as: UnsafeMutablePointer<sem_t>.self))
    }

    /// Blocks until x264 no longer uses the last encoded picture. Must be called once for each picture that x264 has
    /// encoded.
    func wait() {
        while sem_wait(isFree) != 0, errno == EINTR {}
    }
}
