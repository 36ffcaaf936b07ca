internal import HelioBitstream
internal import HelioCore
private import HelioGround
private import Synchronization

/// Decodes one stream with a platform's decoder, on a thread of its own.
final class PictureStream<Platform: SinkPlatform>: PictureDecoding {
    /// Calls the decoding thread's listener, which is set once there is a window; the thread may start earlier.
    private final class Ears: Sendable {
        let bell = Mutex<(@Sendable () -> Void)?>(nil)

        func ring() { bell.withLock { $0 }?() }
    }

    private let platform: Platform
    private let decoding: DecoderLoop<Platform.Decoder>
    private let ears: Ears
    private let closed = Atomic(false)

    /// - Parameter onPicture: called on the decoding thread with each picture; `nil` if a window shows them.
    init(
        on platform: Platform, needKeyframe: @escaping @Sendable () -> Void,
        onPicture: (@Sendable (DecodedImage) -> Void)?
    ) {
        let ears = Ears()
        self.ears = ears
        self.platform = platform
        let decoding = platform.makeDecoderLoop(
            mayReorder: false, choice: .automatic, mostSamples: PictureLimit.standard,
            notes: NoteBoard(bell: {}), bell: { ears.ring() }, needKeyframe: needKeyframe)
        self.decoding = decoding
        if let onPicture {
            listen { [weak decoding] in
                for frame in decoding?.takePictures() ?? [] { onPicture(DecodedImage(picture: frame.picture)) }
            }
        }
        WorkerThread(name: "heliograph-decode") { decoding.run() }
    }

    func put(_ frame: ReceivedFrame) -> Bool { decoding.put(frame) }
    var allDrops: [String: Int] { decoding.allDrops }
    var summary: String { decoding.summary }

    func close() {
        closed.store(true, ordering: .releasing)
        decoding.close()
        ears.ring()
    }

    func openWindow(title: String, options: WindowOptions) throws(HelioError) -> any ViewerRunning {
        PictureLoop(self, try platform.openWindow(title: title, options: options))
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }
    var refusedPictures: Int { decoding.refusedPictures }
    func takePictures() -> [DecodedFrame<Platform.Decoder.Picture>] { decoding.takePictures() }

    /// Sets the listener: called on the decoding thread when a picture is queued, and when the decoder is closed.
    func listen(_ bell: @escaping @Sendable () -> Void) { ears.bell.withLock { $0 = bell } }
}
