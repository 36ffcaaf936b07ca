import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioRecording

/// FFmpeg's playback of finished recordings.
@Suite(.tags(.quiet)) struct PlaybackTests {
    @Test(
        "A file plays back every picture as it was coded, at the time it was captured",
        arguments: [VideoCodec.h264, .h265], ["mp4", "mkv"])
    func pictures(codec: VideoCodec, ending: String) throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(codec, count: 90, keyframes: 40, in: folder)
        let file = folder.file("take.\(ending)")
        let take = try RecordedTake(file)
        take.take(Array(coded.units[..<60]), codec: codec)
        // The screen is still for a while.
        take.pass(.milliseconds(3400))
        take.take(Array(coded.units[60...]), codec: codec)
        take.pass(.milliseconds(700))
        take.finish()
        #expect(take.failure == nil)
        #expect(take.recording.statistics.state == .finished)
        #expect(try CodedMedia.hashes(of: file) == coded.hashes)
        #expect(try CodedMedia.complaints(about: file) == "")
        let times = try CodedMedia.packets(of: file, track: "v:0").map(\.time)
        for (index, time) in times.enumerated() {
            let due = Double(index) / 30 + (index < 60 ? 0 : 3.4)
            #expect(abs(time - due) < 0.0011, "picture \(index) at \(time), not \(due)")
        }
        // The last picture has the duration for which it was shown.
        let duration = Double(try CodedMedia.fact("format=duration", of: file)) ?? 0
        #expect(abs(duration - (3 + 3.4 + 0.7)) < 0.02)
        #expect(try CodedMedia.fact("stream=width,height", of: file, track: "v:0").hasPrefix("320,240"))
    }

    @Test("Nobody but its owner reads a recording")
    func mode() throws {
        let folder = try TestFolder()
        _ = try RecordedTake(folder.file("take.mp4"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("take.mp4"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("A recording without a picture leaves no file")
    func nothing() throws {
        let folder = try TestFolder()
        let take = try RecordedTake(folder.file("take.mkv"))
        take.pass(.seconds(2))
        take.finish()
        #expect(folder.names == [])
        #expect(take.recording.statistics.state == .finished)
    }

    @Test("It begins with a keyframe: what comes before is left out, and counted")
    func keyframe() throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 30, keyframes: 20, in: folder)
        let take = try RecordedTake(folder.file("take.mp4"))
        take.take(Array(coded.units[5...]))
        take.finish()
        #expect(try CodedMedia.hashes(of: folder.file("take.mp4")) == Array(coded.hashes[20...]))
        #expect(take.recording.statistics.drops == ["recording-picture-without-keyframe": 15])
    }

    @Test("Another size goes on in the same file", arguments: ["mp4", "mkv"])
    func size(ending: String) throws {
        let folder = try TestFolder()
        let before = try CodedMedia.pictures(.h264, count: 30, in: folder)
        let after = try CodedMedia.pictures(.h264, size: "480x360", count: 30, in: folder)
        let file = folder.file("take.\(ending)")
        let take = try RecordedTake(file)
        take.take(before.units)
        take.take(after.units)
        take.finish()
        #expect(folder.names.filter { $0.hasPrefix("take") } == ["take.\(ending)"])
        #expect(try CodedMedia.hashes(of: file) == before.hashes + after.hashes)
    }

    @Test("Another codec goes on in the next file, and nobody else's of that name is lost", arguments: ["mp4", "mkv"])
    func codec(ending: String) throws {
        let folder = try TestFolder()
        let before = try CodedMedia.pictures(.h264, count: 30, in: folder)
        let after = try CodedMedia.pictures(.h265, count: 30, in: folder)
        let (file, other, next) = (
            folder.file("take.\(ending)"), folder.file("take-2.\(ending)"), folder.file("take-3.\(ending)")
        )
        try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
        let take = try RecordedTake(file, sound: [.system])
        take.take(before.units)
        take.take(after.units, codec: .h265)
        take.finish()
        #expect(take.files == [file, next])
        #expect(take.recording.statistics.files == 2)
        #expect(try CodedMedia.hashes(of: file) == before.hashes)
        #expect(try CodedMedia.hashes(of: next) == after.hashes)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        #expect(try CodedMedia.packets(of: next, track: "v:0").first?.time == 0)
    }

    @Test(
        "Sound without gaps: what was not sent is silence, and it is in step with the pictures",
        arguments: ["mp4", "mkv"])
    func sound(ending: String) throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 180, in: folder)
        let tone = try CodedMedia.tone(seconds: 6, in: folder)
        let file = folder.file("take.\(ending)")
        let take = try RecordedTake(file, sound: [.system, .microphone])
        let began = take.captured
        for (index, unit) in coded.units.enumerated() {
            take.take([unit])
            // Sound in the first two seconds, and from the fourth on; each packet arrives 30 ms after its capture.
            let heard = Int(((take.captured - began) - .milliseconds(30)) / .milliseconds(20))
            let before = index == 0 ? 0 : Int(((take.captured - began) - .milliseconds(63)) / .milliseconds(20))
            for packet in max(0, before)..<max(0, heard) where packet < 100 || packet >= 200 {
                guard packet < tone.count else { continue }
                take.take(sound: tone[packet], captured: began + .milliseconds(packet * 20))
            }
        }
        take.finish()
        #expect(take.recording.statistics.drops == [:])
        #expect(try CodedMedia.complaints(about: file) == "")
        for track in ["a:0", "a:1"] {
            let packets = try CodedMedia.packets(of: file, track: track)
            #expect(packets.count > 200)
            for (packet, next) in zip(packets, packets.dropFirst()) {
                // FFmpeg reports no durations of Opus in MP4; no packet is longer than 20 ms.
                let end = packet.time + (packet.length.isNaN ? 0.02 : packet.length)
                #expect(next.time - end < 0.0016 && next.time > packet.time)
                if !packet.length.isNaN { #expect(end - next.time < 0.0016) }
            }
            #expect((packets.first?.time ?? 1) < 0.01)
            #expect((packets.last?.time ?? 0) > 5.3)
        }
        // The loud parts: the tone, with silence where it paused.
        let detected = String(
            decoding: try Tool.run(
                ["ffmpeg", "-v", "info", "-i", file, "-map", "0:a:0", "-af", "silencedetect=noise=-50dB:duration=0.5"]
                    + ["-f", "null", "-"], errors: true), as: UTF8.self)
        let start = try #require(Self.number(after: "silence_start: ", in: detected))
        let end = try #require(Self.number(after: "silence_end: ", in: detected))
        #expect(abs(start - 2) < 0.06)
        #expect(abs(end - 4) < 0.06)
    }

    @Test("Where the source is another, with another clock, the file's time goes on")
    func leap() throws {
        let folder = try TestFolder()
        let coded = try CodedMedia.pictures(.h264, count: 60, keyframes: 30, in: folder)
        let file = folder.file("take.mp4")
        let take = try RecordedTake(file)
        take.take(Array(coded.units[..<30]))
        take.pass(.seconds(2))
        take.captured = Instant(nanoseconds: 1_000_000_000)
        take.take(Array(coded.units[30...]))
        take.finish()
        #expect(try CodedMedia.hashes(of: file) == coded.hashes)
        let times = try CodedMedia.packets(of: file, track: "v:0").map(\.time)
        #expect(abs(times[30] - 3) < 0.01)
        #expect(abs((times.last ?? 0) - (3 + 29.0 / 30)) < 0.01)
    }

    private static func number(after mark: String, in text: String) -> Double? {
        text.components(separatedBy: mark).dropFirst().first.flatMap {
            Double($0.prefix { "0123456789.".contains($0) })
        }
    }
}
