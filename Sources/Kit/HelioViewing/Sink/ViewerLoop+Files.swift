internal import HelioCore
private import HelioGround
private import HelioLoop
internal import HelioSharing

// Files: paths dropped on the window are sent to the host, and the user is asked about the host's offers.

extension ViewerLoop {
    /// Starts to queue the events of the exchange of files for this thread.
    func readFileEvents() {
        guard let events = files?.shared.events() else { return }
        let (waker, waiting) = (waker, fileNews)
        Task {
            for await event in events {
                waiting.updateAndWake { $0.put(event) }
                waker()
            }
        }
    }

    /// Shows the queued events of the exchange of files to the user.
    func hearOfFiles() {
        for event in fileNews.update({ waiting, _ in waiting.takeAll() }) {
            offers.follow(event)
            switch event {
            case .offered:
                askAboutFiles()
                continue
            case .progress(let batch): tellProgress(of: batch)
            case .ended(let batch, let arrived, _, _):
                let place = batch.isIncoming && arrived > 0 ? options.files?.place : nil
                let end = [event.sentence, place].compactMap(\.self).joined(separator: " ")
                say(end, for: Self.requestTime)
                onNote?(end)
                continue
            case .lapsed, .file, .leftOut: break
            }
            if let sentence = event.sentence { onNote?(sentence) }
        }
    }

    private func askAboutFiles() {
        guard let batch = offers.last, let question = FileEvent.offered(batch).sentence else { return }
        onNote?(question)
        say("\(question) Ctrl+Alt+Shift+T takes it, Ctrl+Alt+Shift+R refuses.", for: .seconds(120))
    }

    func answerFiles(_ accepts: Bool) {
        switch offers.takeShown() {
        case .nothing: say("The host has no files for you.")
        case .tooSoon: say("These files were offered only just: press it again.")
        case .offer(let batch):
            files?.shared.answer(batch.id, accepts: accepts)
            say("\(batch.summary) \(accepts ? "comes" : "is refused").")
            askAboutFiles()
        }
    }

    /// Shows a transfer's progress, once a second at most, because the picture is redrawn with each message.
    private func tellProgress(of batch: FileBatch) {
        let now = MonotonicClock.now
        guard nextProgress.map({ now >= $0 }) ?? true else { return }
        nextProgress = now + .seconds(1)
        say(batch.progress)
    }

    /// Sends the files that were dropped on the window.
    func drop(_ paths: [String]) {
        guard let first = paths.first else { return }
        guard let shared = files?.shared else {
            return say("Files are not sent: this viewer was started without them.")
        }
        let name = first.split(separator: "/").last ?? "a file"
        say("Sending \(name)\(paths.count > 1 ? " and \(paths.count - 1) more" : "").")
        let (waker, waiting) = (waker, fileNews)
        Task {
            do throws(HelioError) {
                _ = try await shared.send(paths)
            } catch {
                waiting.updateAndWake { $0.put(.leftOut(path: first, reason: error.message)) }
                waker()
            }
        }
    }
}
