#if canImport(ScreenCaptureKit)
import CoreMedia
import Dispatch
import Foundation
import HelioAppleMedia
import HelioAppleSound
import HelioCore
import ScreenCaptureKit

/// A run of a stream, from its start to its end. This class is only type-checked; no test runs it.
///
/// All state is used on the stream's own queue, as ScreenCaptureKit calls back on other threads.
final class RunningStream: NSObject, SCStreamOutput, SCStreamDelegate, @unchecked Sendable {
    private let queue = DispatchQueue(label: "heliograph.capture")
    private let tell: @Sendable (StreamEvent<PixelBuffer>) -> Void
    private let feeds: SampleFeeds
    /// The present settings. `settings`, `hears`, `stream` and `isEnded` are used on the queue only.
    private var settings: StreamSettings
    private var hears = false
    private var stream: SCStream?
    private var isEnded = false

    init(
        _ settings: StreamSettings, feeds: SampleFeeds, tell: @escaping @Sendable (StreamEvent<PixelBuffer>) -> Void
    ) {
        self.settings = settings
        self.feeds = feeds
        self.tell = tell
    }

    func begin() {
        SCShareableContent.getExcludingDesktopWindows(false, onScreenWindowsOnly: true) { [self] content, error in
            let wanted = queue.sync { settings.display }
            guard let filter = content?.filter(of: wanted) else { return fail(error, otherwise: .sourceGone) }
            queue.sync { open(filter) }
        }
    }

    func update(_ settings: StreamSettings) {
        queue.async { [self] in
            self.settings = settings
            reconfigure()
        }
    }

    /// Starts or ends the capture of the sound that the machine plays.
    func hear(_ isOn: Bool) {
        queue.async { [self] in
            hears = isOn
            reconfigure()
        }
    }

    private func reconfigure() {
        stream?.updateConfiguration(configuration) { [self] error in if let error { refused(error) } }
    }

    /// Handles a refused start or change of settings: goes on without sound if only that is refused.
    private func refused(_ error: any Error) {
        queue.async { [self] in
            switch CaptureFault(code: (error as NSError).code, hears: hears) {
            case .withoutSound:
                hears = false
                stream?.updateConfiguration(configuration) { [self] error in if let error { stop(error) } }
            case .stop: stop(error)
            }
        }
    }

    /// Ends the stream, which could otherwise go on beside the next one, and reports the stop.
    private func stop(_ error: any Error) {
        end()
        fail(error)
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
        switch type {
        case .screen: tell(.frame(StreamFrame(sampleBuffer)))
        case .audio: feeds.take(sampleBuffer, of: .system)
        default: break
        }
    }

    private func open(_ filter: SCContentFilter) {
        if isEnded { return }
        let stream = SCStream(filter: filter, configuration: configuration, delegate: self)
        do {
            try stream.addStreamOutput(self, type: .screen, sampleHandlerQueue: queue)
            try stream.addStreamOutput(self, type: .audio, sampleHandlerQueue: queue)
        } catch { return fail(error) }
        self.stream = stream
        stream.startCapture { [self] error in if let error { refusedStart(error) } }
    }

    /// Starts again without sound if only that is refused; a stream that did not start can't be updated.
    private func refusedStart(_ error: any Error) {
        queue.async { [self] in
            guard hears, CaptureFault(code: (error as NSError).code, hears: hears) == .withoutSound else {
                return stop(error)
            }
            hears = false
            begin()
        }
    }

    private var configuration: SCStreamConfiguration { SCStreamConfiguration(settings, hears: hears) }

    private func fail(_ error: (any Error)?, otherwise reason: StreamStop = .failed(0)) {
        tell(.stopped((error as NSError?).map { StreamStop(screenCaptureKit: $0.code) } ?? reason))
    }
}

extension SCShareableContent {
    /// Returns the filter that captures the display or window with this ID; `nil` if there is none.
    fileprivate func filter(of id: String) -> SCContentFilter? {
        if let display = displays.first(where: { String($0.displayID) == id }) {
            return SCContentFilter(display: display, excludingWindows: [])
        }
        return windows.first { DisplayInfo.id(ofWindow: $0.windowID) == id }
            .map { SCContentFilter(desktopIndependentWindow: $0) }
    }
}
#endif
