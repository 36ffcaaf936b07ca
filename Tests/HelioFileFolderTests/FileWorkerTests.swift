import Foundation
import HelioFileFolder
import HelioTestLanes
import HelioTransfer
import HelioTransferWire
import Testing

@Suite(.timeLimit(.minutes(1)), .tags(.quiet))
struct FileWorkerTests {
    private static let batch = BatchID(1)

    @Test("The worker's thread lists, reads and writes, and answers in order")
    func thread() async throws {
        let folder = TemporaryFolder()
        let path = folder.write("a", [1, 2, 3])
        let worker = try FileWorker(folder: folder.path("in"))
        let (replies, replied) = AsyncStream.makeStream(of: FileDiskReply.self)
        let port = worker.open(for: PartSender([1])) { replied.yield($0) }
        let listing = await withCheckedContinuation { done in
            port.list(Self.batch, [path], limit: 10) { done.resume(returning: $0) }
        }
        #expect(listing.entries.map(\.size) == [3])
        let (reading, writing) = (DiskJob(1), DiskJob(2))
        port.perform(.openSource(reading, Self.batch, index: 0))
        port.perform(.read(reading, offset: 0, count: 3))
        port.perform(.close(reading))
        port.perform(.create(writing, Self.batch, [SafeName(cleaning: "b")], size: 3, modified: 0))
        port.perform(.write(writing, offset: 0, [1, 2, 3]))
        port.perform(.finish(writing))
        var found: [FileDiskReply] = []
        for await reply in replies {
            found.append(reply)
            if found.count == 5 { break }
        }
        #expect(
            found == [
                .opened(reading, bytes: 3), .read(reading, [1, 2, 3]), .opened(writing, bytes: 0),
                .wrote(writing, count: 3), .finished(writing, name: "b"),
            ])
        #expect(folder.read("in/b") == [1, 2, 3])
    }

    @Test("An exchange that is gone leaves the part of its file, and another one goes on with it")
    func ports() async throws {
        let folder = TemporaryFolder()
        let worker = try FileWorker(folder: folder.path("in"))
        let (replies, replied) = AsyncStream.makeStream(of: FileDiskReply.self)
        let job = DiskJob(2)
        let create = FileDiskCommand.create(job, Self.batch, [SafeName(cleaning: "b")], size: 3, modified: 0)
        let first = worker.open(for: PartSender([1])) { _ in }
        first.perform(create)
        first.perform(.write(job, offset: 0, [1]))
        first.close()
        first.perform(.finish(job))
        let second = worker.open(for: PartSender([1])) { replied.yield($0) }
        second.perform(create)
        for await reply in replies {
            #expect(reply == .opened(job, bytes: 1))
            break
        }
    }

    @Test("Whoever ends the worker waits for the command at hand, without blocking, and what comes later is ignored")
    func end() async throws {
        let folder = TemporaryFolder()
        let (rests, resting) = AsyncStream.makeStream(of: Void.self)
        let isLet = DispatchSemaphore(value: 0)
        // The thread is held after the command that it has carried out, as by a slow disk.
        @Sendable func rest(after _: Int) -> Duration {
            resting.yield()
            isLet.wait()
            return .zero
        }
        let worker = try FileWorker(folder: folder.path("in"), rest: rest(after:))
        let (replies, replied) = AsyncStream.makeStream(of: FileDiskReply.self)
        let port = worker.open(for: PartSender([1])) { replied.yield($0) }
        let job = DiskJob(1)
        port.perform(.create(job, Self.batch, [SafeName(cleaning: "b")], size: 3, modified: 0))
        port.perform(.write(job, offset: 0, [1, 2, 3]))
        for await _ in rests { break }
        async let ended: Void = worker.end(within: .seconds(20))
        isLet.signal()
        await ended
        port.perform(.finish(job))
        replied.finish()
        var told: [FileDiskReply] = []
        for await reply in replies { told.append(reply) }
        #expect(told == [.opened(job, bytes: 0), .wrote(job, count: 3)])
        #expect(folder.read("in/b") == nil)
    }

    @Test("A folder that can't be made is said at once")
    func noFolder() {
        let folder = TemporaryFolder()
        let file = folder.write("file", [1])
        #expect(throws: (any Error).self) { try FileWorker(folder: file + "/in") }
    }

    @Test("The thread tells the bytes that it has read and written, and rests after them")
    func rests() async throws {
        let folder = TemporaryFolder()
        let path = folder.write("a", [1, 2, 3])
        let (rests, rested) = AsyncStream.makeStream(of: Int.self)
        @Sendable func rest(after bytes: Int) -> Duration {
            rested.yield(bytes)
            return .milliseconds(20)
        }
        let worker = try FileWorker(
            folder: folder.path("in"), prepare: { rested.yield(-1) }, rest: rest(after:))
        let begun = ContinuousClock.now
        let (replies, replied) = AsyncStream.makeStream(of: FileDiskReply.self)
        let port = worker.open(for: PartSender([1])) { replied.yield($0) }
        let listing = await withCheckedContinuation { done in
            port.list(Self.batch, [path], limit: 10) { done.resume(returning: $0) }
        }
        #expect(listing.entries.count == 1)
        let (reading, writing) = (DiskJob(1), DiskJob(2))
        port.perform(.openSource(reading, Self.batch, index: 0))
        port.perform(.read(reading, offset: 0, count: 2))
        port.perform(.create(writing, Self.batch, [SafeName(cleaning: "b")], size: 3, modified: 0))
        port.perform(.write(writing, offset: 0, [1, 2, 3]))
        port.perform(.finish(writing))
        for await reply in replies { if case .finished = reply { break } }
        #expect(ContinuousClock.now - begun >= .milliseconds(40))
        rested.finish()
        var told: [Int] = []
        for await bytes in rests { told.append(bytes) }
        #expect(told == [-1, 2, 3])
    }
}
