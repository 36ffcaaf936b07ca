internal import HelioWebRTC
internal import Heliograph

/// Sends the screen or the test picture on a track, once the peer accepts it.
actor PictureSender {
    private let track: VideoTrack
    private let options: ScreenStream.Options
    private var stream: ScreenStream?
    private var pump: Task<Void, any Error>?
    private(set) var sent = 0

    init(_ track: VideoTrack, _ options: ScreenStream.Options) {
        self.track = track
        self.options = options
    }

    /// The number of pictures that were dropped because the network was too slow.
    var dropped: Int { stream?.frames.dropped ?? 0 }

    /// Starts to send; further calls do nothing.
    ///
    /// - Returns: a human-readable description of the sent video; `nil` if sending has already started.
    ///
    /// Throws an error with a human-readable message if the screen can't be captured.
    func begin(onFailure: @escaping @Sendable (any Error) -> Void) async throws -> String? {
        guard stream == nil else { return nil }
        guard let format = await track.format() else { return "The other side does not take the picture." }
        guard stream == nil else { return nil }
        var options = options
        options.profileLevelID = format.profileLevelID
        let stream = try ScreenStream.start(options)
        self.stream = stream
        pump = Task { [weak self, track] in
            do {
                for try await frame in stream.frames {
                    await track.send(frame)
                    await self?.count()
                }
            } catch {
                onFailure(error)
            }
        }
        return
            "Sending \(stream.size), \(stream.framesPerSecond) a second, \(stream.encoder)."
    }

    private func count() { sent += 1 }

    func requestKeyframe() { stream?.requestKeyframe() }
    func setBitrate(_ bitsPerSecond: Int) { stream?.setBitrate(bitsPerSecond) }

    func stop() async {
        await stream?.stop()
        pump?.cancel()
    }
}
