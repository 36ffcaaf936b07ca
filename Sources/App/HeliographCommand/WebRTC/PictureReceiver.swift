internal import HelioWebRTC
internal import Heliograph

/// Receives pictures, and shows and saves the pictures of the first track.
actor PictureReceiver {
    private let decoder: PictureDecoder?
    private let file: PictureFile?
    private var track: ReceivedTrack?
    private(set) var received = 0

    init(decoder: PictureDecoder?, file: PictureFile?) {
        self.decoder = decoder
        self.file = file
    }

    var saved: Int { get async { await file?.frames ?? 0 } }
    var drops: [String: Int] { decoder?.drops ?? [:] }
    /// The track that is shown and saved, which is the first picture's track; `nil` before the first picture.
    var shownTrack: ReceivedTrack? { track }

    /// Counts a received picture; saves and decodes it if it belongs to the shown track.
    ///
    /// - Returns: false if the decoder needs a keyframe.
    func take(_ picture: ReceivedPicture) async throws -> Bool {
        received += 1
        if track == nil { track = picture.track }
        guard picture.track == track else { return true }
        let frame = EncodedFrame(
            annexB: picture.annexB, presentationTime: picture.time, isKeyframe: picture.isKeyframe)
        try await file?.write(frame)
        return decoder?.put(frame) ?? true
    }
}
