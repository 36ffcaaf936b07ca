import HelioCore
import HelioTransfer
import HelioTransferWire

/// A disk with files to send, and a folder for received files.
final class FakeDisk {
    private struct Part {
        var name: String
        var size: UInt64
        /// The written bytes; for generated content only their count.
        var bytes: [UInt8] = []
        var count: UInt64 = 0
    }

    /// The files to send, by batch and index.
    var sources: [BatchID: [Int: FakeContent]] = [:]
    /// The expected content of generated files, by name.
    var expected: [String: FakeContent] = [:]
    private(set) var landed: [String: FakeContent] = [:]
    private(set) var folders: [String] = []
    /// Partial files that were kept, by their identity.
    private var kept: [String: Part] = [:]
    private var parts: [DiskJob: (key: String, part: Part)] = [:]
    private var reads: [DiskJob: FakeContent] = [:]

    var space: UInt64? = .max / 4
    /// The total of received bytes after which the disk is full.
    var capacity = UInt64.max
    private(set) var written: UInt64 = 0
    private(set) var readBytes: UInt64 = 0
    private(set) var measurements = 0
    /// The offset of the first wrong byte in a received generated file.
    private(set) var firstWrong: UInt64?
    /// True if the disk doesn't answer.
    var isSilent = false
    /// File names that can't be created.
    var impossible: Set<String> = []
    /// The offset from which sources change while they are read.
    var changesAt: UInt64?

    var openJobs: Int { parts.count + reads.count }
    var keptNames: [String] { kept.values.map(\.name).sorted() }

    /// Keeps part of a file, as after an interrupted transfer.
    func keep(_ name: String, size: UInt64, modified: UInt64, _ content: FakeContent, count: UInt64) {
        var part = Part(name: name, size: size)
        part.count = count
        if case .bytes(let bytes) = content { part.bytes = Array(bytes.prefix(Int(count))) }
        kept["\(name) \(size) \(modified)"] = part
    }

    func perform(_ command: FileDiskCommand) -> FileDiskReply? {
        let reply = carryOut(command)
        return isSilent ? nil : reply
    }

    private func carryOut(_ command: FileDiskCommand) -> FileDiskReply? {
        switch command {
        case .openSource(let job, let batch, let index):
            guard let content = sources[batch]?[index] else { return .failed(job, .unreadable) }
            reads[job] = content
            return .opened(job, bytes: content.size)
        case .close(let job): reads[job] = nil
        case .read(let job, let offset, let count): return read(job, offset, count)
        case .measure(let batch):
            measurements += 1
            return .space(batch, space)
        case .create(let job, _, let path, let size, let modified):
            let name = path.map(\.text).joined(separator: "/")
            guard !impossible.contains(name) else { return .failed(job, .badName) }
            let key = "\(name) \(size) \(modified)"
            parts[job] = (key, kept.removeValue(forKey: key) ?? Part(name: name, size: size))
            return .opened(job, bytes: parts[job]?.part.count ?? 0)
        case .makeFolder(let job, _, let path):
            let name = path.map(\.text).joined(separator: "/")
            folders.append(name)
            return .finished(job, name: name)
        case .write(let job, let offset, let bytes): return write(job, offset, bytes)
        case .finish(let job):
            guard let part = parts.removeValue(forKey: job)?.part else { return .failed(job, .diskFailed) }
            precondition(part.count == part.size, "a file that is not whole gets its name")
            var name = part.name
            while landed[name] != nil { name += "+" }
            landed[name] = expected[part.name] ?? .bytes(part.bytes)
            return .finished(job, name: name)
        case .discard(let job): parts[job] = nil
        case .keep(let job):
            if let (key, part) = parts.removeValue(forKey: job) { kept[key] = part }
        case .promise, .forget: break
        }
        return nil
    }

    private func read(_ job: DiskJob, _ offset: UInt64, _ count: Int) -> FileDiskReply? {
        if let (_, part) = parts[job] {
            let content = expected[part.name] ?? .bytes(part.bytes)
            return .read(job, content.bytes(at: offset, count: min(count, Int(part.count - offset))))
        }
        guard let content = reads[job] else { return nil }
        if let changesAt, offset >= changesAt { return .failed(job, .changed) }
        readBytes += UInt64(count)
        return .read(job, content.bytes(at: offset, count: count))
    }

    private func write(_ job: DiskJob, _ offset: UInt64, _ bytes: [UInt8]) -> FileDiskReply? {
        guard let (key, found) = parts[job] else { return nil }
        var part = found
        parts[job] = nil
        if offset == 0 { (part.count, part.bytes) = (0, []) }
        precondition(part.count == offset, "what is written follows what was")
        written += UInt64(bytes.count)
        guard written <= capacity else {
            parts[job] = (key, part)
            return .failed(job, .noSpace)
        }
        part.count += UInt64(bytes.count)
        precondition(part.count <= part.size, "more is written than the file has")
        if let content = expected[part.name] {
            if !content.has(bytes, at: offset) { firstWrong = firstWrong ?? offset }
        } else {
            part.bytes += bytes
        }
        parts[job] = (key, part)
        return .wrote(job, count: bytes.count)
    }
}
