internal import HelioTransfer
internal import HelioTransferWire

/// Executes the disk commands of one file exchange. Confined to one thread.
final class FileDisk {
    /// The maximum number of files open at once in each direction; an exchange needs one.
    private static let mostOpen = 8

    /// The folder for received files, opened at its first use, so that no empty folder is made.
    private lazy var folder: ReceivingFolder? = {
        hasOpened = true
        return openFolder()
    }()
    private var hasOpened = false
    private let openFolder: () -> ReceivingFolder?
    private let sender: PartSender
    private var sources: [BatchID: [Int: SourceFile]] = [:]
    private var reading: [DiskJob: (source: SourceFile, file: OpenFile)] = [:]
    private var parts: [DiskJob: PartFile] = [:]

    /// - Parameter folder: the folder for received files; `nil` if no files are received.
    init(_ folder: @autoclosure @escaping () -> ReceivingFolder?, of sender: PartSender) {
        openFolder = folder
        self.sender = sender
    }

    /// Registers the files of a batch that the exchange sends.
    func take(_ listing: SourceListing, as batch: BatchID) { sources[batch] = listing.files }

    /// Executes a command and returns the reply, or `nil` if there is none.
    func perform(_ command: FileDiskCommand) -> FileDiskReply? {
        do {
            return try carryOut(command)
        } catch let failure as SystemFailure {
            return command.job.map { .failed($0, failure.refusal) }
        } catch let failure as FileReadFailure {
            return command.job.map { .failed($0, failure.refusal) }
        } catch {
            return command.job.map { .failed($0, .diskFailed) }
        }
    }

    private func carryOut(_ command: FileDiskCommand) throws -> FileDiskReply? {
        switch command {
        case .openSource(let job, let batch, let index):
            guard let source = sources[batch]?[index], reading.count < Self.mostOpen else {
                throw FileReadFailure.unreadable
            }
            reading[job] = (source, try source.open())
            return .opened(job, bytes: UInt64(source.identity.size))
        case .close(let job): reading[job] = nil
        case .read(let job, let offset, let count):
            if let (source, file) = reading[job] {
                return .read(job, try source.read(file, offset: offset, count: count))
            }
            return try parts[job].map { .read(job, try $0.read(at: offset, count: count)) }
        case .measure(let batch): return .space(batch, folder?.space(for: sender))
        case .create(let job, let batch, let path, let size, let modified):
            guard let folder, parts.count < Self.mostOpen else { return .failed(job, .diskFailed) }
            let (part, held) = try folder.create(batch, of: sender, path, size: size, modified: modified)
            parts[job] = part
            return .opened(job, bytes: held)
        case .makeFolder(let job, let batch, let path):
            guard let folder else { return .failed(job, .diskFailed) }
            return .finished(job, name: try folder.makeFolder(path, of: batch))
        case .write(let job, let offset, let bytes):
            guard let part = parts[job], let folder else { return nil }
            try part.write(bytes, at: offset, by: folder.write)
            folder.wrote(bytes.count, of: part.batch, sender)
            return .wrote(job, count: bytes.count)
        case .finish(let job):
            guard let part = parts[job], let folder else { return .failed(job, .diskFailed) }
            let name = try folder.finish(part)
            parts[job] = nil
            return .finished(job, name: name)
        case .discard(let job):
            if let part = parts.removeValue(forKey: job) { folder?.discard(part) }
        case .keep(let job):
            if parts.removeValue(forKey: job) != nil { folder?.prune() }
        case .promise(let batch, let bytes): folder?.promise(bytes, to: batch, sender)
        case .forget(let batch):
            sources[batch] = nil
            if hasOpened { folder?.forget(batch, of: sender) }
        }
        return nil
    }
}

extension FileDiskCommand {
    /// The job that a failure reply names; `nil` for commands without a job.
    fileprivate var job: DiskJob? {
        switch self {
        case .openSource(let job, _, _), .close(let job), .read(let job, _, _), .create(let job, _, _, _, _),
            .makeFolder(let job, _, _), .write(let job, _, _), .finish(let job), .discard(let job), .keep(let job):
            job
        case .measure, .promise, .forget: nil
        }
    }
}
