package import HelioCore
private import HelioLoop

/// Records coded pictures and sound to a file, on a thread of its own: MP4 or Matroska, without another encode.
///
/// What is put in waits in a bounded queue; a disk that is too slow costs the recording pictures, up to the next
/// keyframe, and nobody else anything. An error ends the recording alone, and its file plays up to there; so it does
/// where the program is killed, but for the last second.
package final class Recorder: Sendable {
    /// What it asks of the rest of the program; called on its thread.
    package struct Surroundings: Sendable {
        /// A keyframe is needed.
        var needKeyframe: @Sendable (_ reason: String) -> Void
        /// Nothing has come for a second, and there is no sound to tell the file's length by: the picture once more.
        var needPicture: @Sendable () -> Void
        var tell: @Sendable (RecordingNews) -> Void

        package init(
            needKeyframe: @escaping @Sendable (_ reason: String) -> Void,
            needPicture: @escaping @Sendable () -> Void = {},
            tell: @escaping @Sendable (RecordingNews) -> Void
        ) {
            self.needKeyframe = needKeyframe
            self.needPicture = needPicture
            self.tell = tell
        }
    }

    private let inbox: RecorderInbox
    private let thread: WorkerThread

    /// Makes the file, and waits for the first keyframe, which it asks for at once.
    ///
    /// Throws `invalidArgument` for a name that does not end in .mp4 or .mkv or that is taken, and `systemFailed` where
    /// the file can't be made.
    package init(_ options: RecorderOptions, _ surroundings: Surroundings) throws(HelioError) {
        let recording = try Recording(options) { surroundings.tell($0) }
        let inbox = RecorderInbox(options, statistics: recording.statistics)
        self.inbox = inbox
        let writer = RecorderThread(recording, options, surroundings, inbox)
        thread = WorkerThread(name: "heliograph-record", isUrgent: false) { writer.run() }
    }

    deinit { inbox.stop() }

    /// The slices from now on are of this codec. Any thread.
    package func set(_ codec: VideoCodec) { inbox.set(codec) }

    /// Takes a slice as it leaves the encoder; slices of a frame in order, and frames too. Any thread; never blocks.
    package func put(_ slice: EncodedSlice) { inbox.put(slice, now: MonotonicClock.now) }

    /// Takes a whole picture. Any thread, one at a time; never blocks.
    package func put(_ picture: RecordedPicture) { inbox.put(picture, now: MonotonicClock.now) }

    /// Takes a packet of Opus. Any thread; packets of an origin in order; never blocks.
    package func put(_ sound: RecordedSound) { inbox.put(sound, now: MonotonicClock.now) }

    /// Learns that a picture is missing: those after it up to the next keyframe are left out.
    package func breakOff() { inbox.breakOff() }

    package var statistics: RecordingStatistics { inbox.statistics }

    /// Ends the file, and waits until it is whole; not for ever, as a disk may be gone.
    package func stop(within patience: Duration = .seconds(5)) async {
        end()
        let over = FirstOf()
        await withCheckedContinuation { continuation in
            over.wait(continuation)
            Task { [thread] in
                await thread.join()
                over.come()
            }
            Task {
                try? await Task.sleep(for: patience)
                over.come()
            }
        }
    }

    /// The same, on the calling thread.
    package func end(waiting patience: Duration) {
        end()
        inbox.waitUntilOver(until: MonotonicClock.now + patience)
    }

    /// Ends the file; it is whole soon after.
    package func end() { inbox.stop() }
}
