public import HelioCore
private import HelioLocalSocket
private import HelioLoop
internal import NIOCore
internal import NIOPosix
private import Synchronization

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// Serves the commands `heliograph send` and `heliograph get` of the same user through this process's sessions. The
/// service listens at a local socket in a folder that only this user can access.
public final class FileService: Sendable {
    /// The maximum number of connections served at once.
    private static let mostConnections = 16

    /// The group of the service's own event loop, which lives as long as the service: commands never wait for media.
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channel: any Channel
    private let path: String

    /// Starts to listen.
    ///
    /// Throws `systemFailed` if the socket can't be opened.
    ///
    /// - Parameter files: the files of the sessions to serve.
    public init(for files: SharedFiles) async throws(HelioError) {
        path = FileServicePlace.folder + "/\(ProcessInfo.processInfo.processIdentifier).sock"
        try FileServicePlace.prepare()
        try? FileManager.default.removeItem(atPath: path)
        let desk = FileServiceDesk(files)
        let open = Mutex(0)
        do {
            channel = try await ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    let isRoom = open.withLock { count in
                        count += 1
                        return count <= Self.mostConnections
                    }
                    channel.closeFuture.whenComplete { _ in open.withLock { $0 -= 1 } }
                    guard isRoom, Self.isOwnUsers(channel) else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FileServiceHandler(desk))
                    }
                }
                .bind(unixDomainSocketPath: path).get()
            guard chmod(path, 0o600) == 0 else { throw HelioError(.systemFailed, "\(path) can't be made private.") }
        } catch {
            let group = group
            Task { try? await group.shutdownGracefully() }
            throw HelioError(
                .systemFailed,
                "Other commands can't send files by this session: \(path) can't be used: \(NetworkFailure.words(error)).",
                cause: error)
        }
    }

    /// True if the connected process belongs to this user: a check in addition to the folder's permissions.
    private static func isOwnUsers(_ channel: any Channel) -> Bool {
        let pipeline = channel.pipeline.syncOperations
        let user = try? pipeline.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
            LocalSocket.peerUser(of: descriptor)
        }
        return user == geteuid()
    }

    /// Stops listening, and removes the socket.
    public func stop() async {
        try? await channel.close()
        try? FileManager.default.removeItem(atPath: path)
        try? await group.shutdownGracefully()
    }
}

/// Serves one command: reads its request, and writes the progress, line by line.
private final class FileServiceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The longest request in bytes, enough for thousands of paths.
    private static let longest = 1 << 20

    private let desk: FileServiceDesk
    private var received: [UInt8] = []
    private var work: Task<Void, Never>?

    init(_ desk: FileServiceDesk) { self.desk = desk }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += Array(unwrapInboundIn(data).readableBytesView)
        guard work == nil else { return context.close(promise: nil) }
        guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else {
            if received.count > Self.longest { context.close(promise: nil) }
            return
        }
        guard
            let request = try? JSONDecoder().decode(FileServiceMessage.Request.self, from: Data(received[..<end]))
        else { return context.close(promise: nil) }
        let (channel, desk) = (context.channel, desk)
        work = Task {
            await desk.serve(request) { answer in
                // Progress lines are dropped if the command does not read fast enough.
                if case .progress = answer, !channel.isWritable { return }
                guard let line = try? JSONEncoder().encode(answer) else { return }
                channel.writeAndFlush(ByteBuffer(bytes: line + [UInt8(ascii: "\n")]), promise: nil)
            }
            channel.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { work?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Executes the commands' requests through `SharedFiles`.
private final class FileServiceDesk: Sendable {
    private let files: SharedFiles
    /// The unanswered offers.
    private let offers = FileOffers()

    init(_ files: SharedFiles) {
        self.files = files
        let events = files.events()
        Task { [weak self] in
            for await event in events { self?.offers.follow(event) }
        }
    }

    func serve(
        _ request: FileServiceMessage.Request, answer: @escaping @Sendable (FileServiceMessage.Answer) -> Void
    ) async {
        switch request {
        case .recipients: answer(.recipients(await files.recipients().map(\.name)))
        case .send(let paths, let name): await send(paths, to: name, answer)
        case .get(let name): await get(from: name, answer)
        }
    }

    private func send(
        _ paths: [String], to name: String?, _ answer: @Sendable (FileServiceMessage.Answer) -> Void
    ) async {
        // Subscribe before sending, so that no event of the batches is missed.
        let events = files.events()
        var chosen: Int?
        if let name {
            let named = await files.recipients().filter { FileRecipient.isCalled(name, $0.name) }
            guard let recipient = named.first else {
                return answer(.over(failure: "Nobody called '\(name)' is connected."))
            }
            // Viewers admitted by a link are named by their address, which a whole household may share.
            guard named.count == 1 else {
                return answer(
                    .over(
                        failure: "\(named.count) that are connected are called '\(name)': nothing was sent. Pair them, "
                            + "so that each has a name of its own."))
            }
            chosen = recipient.id
        }
        do throws(HelioError) {
            let batches = Set(try await files.send(paths, to: chosen))
            await withTaskCancellationHandler {
                await follow(batches, in: events, answer)
            } onCancel: {
                for batch in batches { files.cancel(batch) }
            }
        } catch {
            answer(.over(failure: error.message))
        }
    }

    private func get(from name: String?, _ answer: @Sendable (FileServiceMessage.Answer) -> Void) async {
        let events = files.events()
        let all = offers.all(from: name)
        // The command can't tell which of several offers its user means, as its terminal has not shown them.
        guard all.count < 2 else {
            let names = all.map { "\($0.summary) from \($0.peer)" }.joined(separator: "; ")
            let remedy = name == nil ? "Say whose you want, or answer" : "Answer"
            return answer(.over(failure: "Several offers wait: \(names). \(remedy) in the session itself, by f and r."))
        }
        var next = all.first
        if next == nil {
            for await event in events {
                guard case .offered(let batch) = event, FileRecipient.isCalled(name, batch.peer) else { continue }
                next = batch
                break
            }
        }
        guard let next else { return answer(.over(failure: "The session has ended.")) }
        answer(.note("\(next.peer) sends \(next.summary)."))
        files.answer(next.id, accepts: true)
        await withTaskCancellationHandler {
            await follow([next.id], in: events, answer)
        } onCancel: {
            files.cancel(next.id)
        }
    }

    /// Reports the progress of the batches until all have ended.
    private func follow(
        _ batches: Set<FileBatch.ID>, in events: AsyncStream<FileEvent>,
        _ answer: @Sendable (FileServiceMessage.Answer) -> Void
    ) async {
        var left = batches
        var failures: [String] = []
        for await event in events {
            switch event {
            case .progress(let batch) where left.contains(batch.id): answer(.progress(batch.progress))
            case .file(let batch, let name, _) where left.contains(batch.id):
                if let sentence = event.sentence {
                    answer(.note(sentence))
                } else if batch.isIncoming {
                    answer(.note(files.folder + "/" + name))
                }
            case .leftOut: if let sentence = event.sentence { answer(.note(sentence)) }
            case .ended(let batch, let arrived, let failed, let failure) where left.contains(batch.id):
                left.remove(batch.id)
                let end = batch.ending(arrived: arrived, failed: failed, failure: failure)
                if failure != nil || failed > 0 { failures.append(end) } else { answer(.note(end)) }
                if left.isEmpty {
                    return answer(.over(failure: failures.isEmpty ? nil : failures.joined(separator: " ")))
                }
            case .offered, .lapsed, .progress, .file, .ended: break
            }
        }
        answer(.over(failure: "The session has ended. What has come is kept: it goes on with the next session."))
    }
}
