// Shares an H.264 file as if an encoder of the app's own made it, at 30 frames a second: SendFile FILE
// The file has an access unit delimiter before each picture: ffmpeg ... -bsf:v h264_metadata=aud=insert FILE.h264
import Foundation
import Heliograph

struct Wishes: VideoSourcePlugin {
    func keyframeNeeded(reason: String) { print("A keyframe is wished for: \(reason).") }
    func bitrateSuggested(_ bitsPerSecond: Int) {}
}

/// A file's access units, each from its delimiter to the next.
func accessUnits(of bytes: [UInt8]) -> [[UInt8]] {
    let delimiter: [UInt8] = [0, 0, 0, 1, 9]
    let starts = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 5].elementsEqual(delimiter) }
    return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
}

guard let path = CommandLine.arguments.dropFirst().first, let data = FileManager.default.contents(atPath: path) else {
    fatalError("usage: SendFile FILE.h264")
}
let pace = Duration.seconds(1) / 30
let units = accessUnits(of: Array(data))
var options = MirrorSource.Options()
options.port = 0
let video = MediaAttributes(format: .avc, width: 640, height: 480)
let source = try await MirrorSource.start(options, video: video, plugin: Wishes())
try FileHandle.standardOutput.write(contentsOf: Data("\(await source.link.text)\n".utf8))

var time = Duration.zero
for await event in source.events {
    guard case .viewerJoined = event else { continue }
    for unit in units {
        let isKeyframe = unit.firstRange(of: [0, 0, 1, 0x65]) != nil
        try source.write(EncodedFrame(annexB: unit, presentationTime: time, isKeyframe: isKeyframe))
        time += pace
        try await Task.sleep(for: pace)
    }
    await source.stop()
}
