private import DequeModule
internal import HelioCore
private import HelioLoop

// Files: what is dropped on the window goes to the host, and what the host sends is asked about.

extension ViewerLoop {
    /// Has what happens to files come to this thread.
    func readFileEvents() {
        guard let events = files?.shared.events() else { return }
        let (waker, waiting) = (waker, fileNews)
        Task {
            for await event in events {
                waiting.put(event)
                waker()
            }
        }
    }

    /// Tells the person what has happened.
    func hearOfFiles() {
        for event in fileNews.takeAll() {
            switch event {
            case .offered(let batch):
                offers.append(batch)
                askAboutFiles()
            case .lapsed(let batch):
                offers.removeAll { $0.id == batch.id }
                onNote?("\(batch.peer) no longer asks to send \(batch.summary).")
            case .progress(let batch): tellProgress(of: batch)
            case .file(_, let name, let failure): if let failure { onNote?("\(name) did not arrive: \(failure).") }
            case .ended(let batch, let arrived, let failed, let failure):
                let end = batch.ending(arrived: arrived, failed: failed, failure: failure)
                onNote?(end)
                say(end, for: Self.requestTime)
            case .leftOut(let path, let reason): onNote?("\(path) is not sent: \(reason).")
            }
        }
    }

    private func askAboutFiles() {
        guard let batch = offers.first else { return }
        let question = "\(batch.peer) wants to send \(batch.summary)."
        onNote?(question)
        say("\(question) Ctrl+Alt+Shift+T takes it, Ctrl+Alt+Shift+R refuses.", for: .seconds(120))
    }

    func answerFiles(_ accepts: Bool) {
        guard !offers.isEmpty else { return say("The host has no files for you.", for: Self.messageTime) }
        let batch = offers.removeFirst()
        files?.shared.answer(batch.id, accepts: accepts)
        say(accepts ? "Files come." : "Files refused.", for: Self.messageTime)
        askAboutFiles()
    }

    /// Once a second: a line over the picture is drawn with it.
    private func tellProgress(of batch: FileBatch) {
        let now = MonotonicClock.now
        guard nextProgress.map({ now >= $0 }) ?? true else { return }
        nextProgress = now + .seconds(1)
        say(batch.progress, for: Self.messageTime)
    }

    /// Sends what was dropped on the window.
    func drop(_ paths: [String]) {
        guard let first = paths.first else { return }
        guard let shared = files?.shared else {
            return say("Files are not sent: this viewer was started without them.", for: Self.messageTime)
        }
        let name = first.split(separator: "/").last ?? "a file"
        say("Sending \(name)\(paths.count > 1 ? " and \(paths.count - 1) more" : "").", for: Self.messageTime)
        let (waker, waiting) = (waker, fileNews)
        Task {
            do throws(HelioError) {
                _ = try await shared.send(paths)
            } catch {
                waiting.put(.leftOut(path: first, reason: error.message))
                waker()
            }
        }
    }
}
