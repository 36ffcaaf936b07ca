#if canImport(ScreenCaptureKit)
import CoreGraphics
import CoreMedia
import CoreVideo
import Foundation
import HelioAppleMedia
import HelioCore
import ScreenCaptureKit

extension StreamFrame<PixelBuffer> {
    /// Makes the frame for a sample of ScreenCaptureKit, with the values of its attachments. This is only type-checked;
    /// no test runs it.
    init(_ sample: CMSampleBuffer) {
        let all = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
        let info = (all as Any? as? [NSDictionary])?.first
        let status = (info?[SCStreamFrameInfo.status.rawValue] as? NSNumber)?.intValue
        let pixels = CMSampleBufferGetImageBuffer(sample)
        self.init(
            status: status.flatMap(Status.init) ?? .idle, buffer: pixels.map(PixelBuffer.init),
            size: PixelSize(
                width: pixels.map(CVPixelBufferGetWidth) ?? 0, height: pixels.map(CVPixelBufferGetHeight) ?? 0),
            dirty: Self.rects(info?[SCStreamFrameInfo.dirtyRects.rawValue]),
            age: Self.age(info?[SCStreamFrameInfo.displayTime.rawValue]))
    }

    /// Reads the dirty rectangles, which are dictionaries; `nil` if they are missing or malformed.
    private static func rects(_ value: Any?) -> [FrameRect]? {
        guard let list = value as? [NSDictionary] else { return nil }
        let rects = list.compactMap { CGRect(dictionaryRepresentation: $0.bridged) }
        return rects.count == list.count ? rects.map(FrameRect.init) : nil
    }

    /// Returns the time since an attachment's host time, within 0...1 s; zero if it is missing.
    private static func age(_ value: Any?) -> Duration {
        guard let units = (value as? NSNumber)?.uint64Value else { return .zero }
        let now = CMClockGetTime(CMClockGetHostTimeClock()).seconds
        let age = now - CMClockMakeHostTimeFromSystemUnits(units).seconds
        return age.isFinite ? .seconds(min(1, max(0, age))) : .zero
    }
}
#endif
