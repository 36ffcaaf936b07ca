package import HelioCore
internal import HelioPlayout

/// Fills an output's buffers from a renderer; owns the samples that were rendered but not yet played (requirement row
/// 76).
///
/// Every buffer is filled completely: samples that the renderer does not provide are silence (requirements, defect 10).
package struct OutputFiller {
    package let plan: OutputPlan
    /// `nil` if the device has the source's sample rate.
    private var resampler: SoundResampler?
    private var source: [Float] = []
    private var output: [Float]

    package init(_ plan: OutputPlan) {
        self.plan = plan
        output = [Float](repeating: 0, count: plan.frames * 2)
        if plan.device.sampleRate != plan.source.sampleRate {
            resampler = SoundResampler(
                from: plan.source.sampleRate, to: plan.device.sampleRate, channels: plan.source.channels)
        }
    }

    /// Fills one buffer with `plan.bytes` bytes.
    ///
    /// - Parameter heard: the time at which the buffer's first sample is heard.
    /// - Returns: false, without rendering, if the buffer is too small.
    package mutating func fill(
        _ buffer: UnsafeMutableRawBufferPointer, heard: Instant, _ render: SoundRenderer
    ) -> Bool {
        guard buffer.count >= plan.bytes else { return false }
        if resampler == nil {
            for index in output.indices { output[index] = 0 }
            var span = output.mutableSpan
            render(&span, heard)
        } else {
            convert(heard, render)
        }
        SampleReader.write(output, frames: plan.frames, plan.device, to: buffer)
        return true
    }

    private mutating func convert(_ heard: Instant, _ render: SoundRenderer) {
        guard var converter = resampler.take() else { return }
        // Move the arrays out of `self` during the call, so that they are not copied.
        var (samples, converted) = ([Float](), [Float]())
        swap(&samples, &source)
        swap(&converted, &output)
        let needed = converter.framesNeeded(for: plan.frames) * plan.source.channels
        let ahead = Duration.nanoseconds(Int64(converter.pending / Double(plan.source.sampleRate) * 1e9))
        samples.removeAll(keepingCapacity: true)
        samples.append(contentsOf: repeatElement(0, count: needed))
        var span = samples.mutableSpan
        render(&span, heard + ahead)
        converter.push(samples.span)
        var out = converted.mutableSpan
        converter.produce(plan.frames, into: &out)
        swap(&samples, &source)
        swap(&converted, &output)
        resampler = converter
    }
}
