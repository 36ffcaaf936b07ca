#if canImport(ScreenCaptureKit)
import CoreMedia
import Dispatch
import Foundation
import HelioAppleMedia
import HelioCore
import ScreenCaptureKit

/// One run of a stream, from its start to its end. Type-checked, not run.
///
/// All of it happens on its own queue: the stream's answers come on threads of their own.
final class RunningStream: NSObject, SCStreamOutput, SCStreamDelegate, @unchecked Sendable {
    private let queue = DispatchQueue(label: "heliograph.capture")
    private let tell: @Sendable (StreamEvent<PixelBuffer>) -> Void
    /// Of the queue, as `stream` and `isEnded`.
    private var settings: StreamSettings
    private var stream: SCStream?
    private var isEnded = false

    init(_ settings: StreamSettings, tell: @escaping @Sendable (StreamEvent<PixelBuffer>) -> Void) {
        self.settings = settings
        self.tell = tell
    }

    func begin() {
        SCShareableContent.getExcludingDesktopWindows(false, onScreenWindowsOnly: true) { [self] content, error in
            let display = queue.sync { content?.displays.first { String($0.displayID) == settings.display } }
            guard let display else { return fail(error, otherwise: .sourceGone) }
            let filter = SCContentFilter(display: display, excludingWindows: [])
            queue.sync { open(filter) }
        }
    }

    func update(_ settings: StreamSettings) {
        queue.async { [self] in
            self.settings = settings
            stream?.updateConfiguration(configuration) { [self] error in if let error { fail(error) } }
        }
    }

    func end() {
        queue.async { [self] in
            isEnded = true
            stream?.stopCapture()
            stream = nil
        }
    }

    func stream(_ stream: SCStream, didStopWithError error: any Error) { fail(error) }

    func stream(
        _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
    ) {
        if type == .screen { tell(.frame(StreamFrame(sampleBuffer))) }
    }

    private func open(_ filter: SCContentFilter) {
        if isEnded { return }
        let stream = SCStream(filter: filter, configuration: configuration, delegate: self)
        do { try stream.addStreamOutput(self, type: .screen, sampleHandlerQueue: queue) } catch { return fail(error) }
        self.stream = stream
        stream.startCapture { [self] error in if let error { fail(error) } }
    }

    private var configuration: SCStreamConfiguration { SCStreamConfiguration(settings) }

    private func fail(_ error: (any Error)?, otherwise reason: StreamStop = .failed(0)) {
        tell(.stopped((error as NSError?).map { StreamStop(screenCaptureKit: $0.code) } ?? reason))
    }
}
#endif
