import Foundation
import HelioSession
import HelioTestLanes
import HelioTransferWire
import Synchronization
import Testing

@testable import HelioSharing

@Suite("Messages about files wait within a bound", .tags(.quiet))
struct FileBacklogTests {
    @Test("each session has its own bound, and what was taken makes room")
    func bound() {
        let backlog = FileBacklog()
        var count = 0
        while backlog.put(1, of: 1) { count += 1 }
        #expect(count == FileBacklog.most / (FileBacklog.messageCost + 1))
        #expect(backlog.put(65536, of: 2))
        #expect(!backlog.put(1, of: 1))
        backlog.taken(1, of: 1)
        #expect(backlog.put(1, of: 1))
        #expect(backlog.refused == 2)
    }

    @Test("a peer that keeps to its credit stays below it: 2 MiB of entries of empty files")
    func honest() {
        let backlog = FileBacklog()
        for _ in 0..<2 * 1024 * 1024 / 40 { #expect(backlog.put(40, of: 1)) }
    }

    /// Tested while the files' thread is blocked, as on a busy machine.
    @Test("a guest that floods is refused while nobody deals with it, and heard again after")
    func flood() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = FileOptions()
        options.folder = folder
        options.receiving = .refuse
        let files = try SharedFiles(options)
        let (held, isHeld) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var generator = SystemRandomNumberGenerator()
        let sent = Atomic(0)
        files.open(1, of: .init(token: .init(using: &generator)), name: "guest", .never) { _ in
            // The first answer, a refusal, blocks the thread.
            if sent.add(1, ordering: .relaxed).newValue == 1 {
                isHeld.signal()
                held.wait()
            }
        }
        _ = files.take(.opened, of: 1)
        _ = files.take(.granted(65536), of: 1)
        // An offer of one file, which is not permitted here.
        let offer = FileMessage.offer(FileOffer(BatchID(1), count: 1, bytes: 1, name: "a")).serialised()
        #expect(files.take(.received(offer), of: 1))
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                isHeld.wait()
                done.resume()
            }
        }
        var taken = 0
        for _ in 0..<1_000_000 where files.take(.received([0x16]), of: 1) { taken += 1 }
        #expect(taken <= FileBacklog.most / FileBacklog.messageCost)
        #expect(files.allDrops["file-backlog-full"] == 1_000_000 - taken)
        held.signal()
        // Processed after all queued messages.
        _ = await files.recipients()
        #expect(files.take(.received([0x16]), of: 1))
        await files.stop()
    }
}
