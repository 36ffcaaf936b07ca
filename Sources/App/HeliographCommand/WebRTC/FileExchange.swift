internal import ArgumentParser
private import Foundation

/// Exchanges descriptions through files: each side writes its description atomically, and waits for the other side's
/// file.
struct FileExchange: DescriptionExchange {
    /// The interval at which the file is checked.
    private static let interval = Duration.milliseconds(100)
    /// The number of checks after which an unreadable file is an error. Until then, it may still be incomplete.
    private static let patience = 20

    let offerFile: String
    let answerFile: String

    private func path(_ kind: SignalledDescription.Kind) -> String { kind == .offer ? offerFile : answerFile }

    /// Rejects an existing answer file, because it belongs to an earlier offer.
    func checkBeforeOffer() throws {
        if FileManager.default.fileExists(atPath: answerFile) {
            throw ValidationError(
                "--answer-file \(answerFile): the file is there already, so it is the answer to an earlier offer. Remove it."
            )
        }
    }

    func give(_ description: SignalledDescription) async throws {
        let path = path(description.kind)
        do {
            try PrivateFile.write(description.line + "\n", to: path)
        } catch {
            throw ValidationError("\(path) can't be written: is there such a folder, and may you write to it?")
        }
        say("Wrote \(description.kind.name) to \(path).")
    }

    func take(_ kind: SignalledDescription.Kind) async throws -> SignalledDescription {
        let path = path(kind)
        say("Waiting for \(kind.name) in \(path).")
        var failures = 0
        while true {
            if FileManager.default.fileExists(atPath: path) {
                do {
                    return try SignalledDescription(parsing: try read(path), expecting: kind)
                } catch {
                    failures += 1
                    if failures > Self.patience { throw ValidationError("\(path): \(error)") }
                }
            }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func read(_ path: String) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: SignalledDescription.mostBytes + 1),
            data.count <= SignalledDescription.mostBytes
        else { throw ValidationError("It can't be read, is empty, or is too large.") }
        return String(decoding: data, as: UTF8.self)
    }
}
