package import HelioCore
private import HelioGround

/// Records coded pictures and sound to an MP4 or Matroska file, on a thread of its own and without encoding them again.
///
/// Pictures and sound wait in a bounded queue. If the disk is too slow, the recording loses pictures up to the next
/// keyframe; the live stream is not affected. An error ends only the recording, whose file can be played up to that
/// point. If the program is killed, at most the last second is lost.
package final class Recorder: Sendable {
    private let inbox: RecorderInbox
    private let thread: WorkerThread

    /// Creates the file and requests the first keyframe, with which the recording begins.
    ///
    /// Throws `invalidArgument` for a name that does not end in .mp4 or .mkv or that is taken, and `systemFailed` if
    /// the file can't be made.
    package init(_ options: RecorderOptions, of stream: any RecordedStream) throws(HelioError) {
        let recording = try Recording(options) { stream.take($0) }
        let inbox = RecorderInbox(options, statistics: recording.statistics)
        self.inbox = inbox
        let writer = RecorderThread(recording, options, stream, inbox)
        thread = WorkerThread(name: "heliograph-record", isUrgent: false) { writer.run() }
    }

    deinit { inbox.stop() }

    /// Sets the codec of the slices that follow. Callable from any thread.
    package func set(_ codec: VideoCodec) { inbox.set(codec) }

    /// Queues a slice from the encoder. Frames, and the slices of a frame, have to be queued in order. Callable from
    /// any thread; never blocks.
    package func put(_ slice: EncodedSlice) { inbox.put(slice, now: MonotonicClock.now) }

    /// Queues a whole picture. Callable from any thread, but not concurrently; never blocks.
    package func put(_ picture: RecordedPicture) { inbox.put(picture, now: MonotonicClock.now) }

    /// Queues an Opus packet; the packets of each `SoundOrigin` have to be queued in order. Callable from any thread;
    /// never blocks.
    package func put(_ sound: RecordedSound) { inbox.put(sound, now: MonotonicClock.now) }

    /// Reports that a picture is missing. The pictures up to the next keyframe are then dropped.
    package func breakOff() { inbox.breakOff() }

    package var statistics: RecordingStatistics { inbox.statistics }

    /// Ends the file and waits until it is complete, but no longer than `patience`, since the disk may be gone.
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

    /// Ends the file and waits like `stop(within:)`, but blocks the calling thread.
    package func end(waiting patience: Duration) {
        end()
        inbox.waitUntilOver(until: MonotonicClock.now + patience)
    }

    /// Ends the file, without waiting until it is complete.
    package func end() { inbox.stop() }
}
