// Writes what a source sends into an H.264 file: WriteFile LINK FILE
import Foundation
import Heliograph

guard CommandLine.arguments.count == 3 else { fatalError("usage: WriteFile LINK FILE.h264") }
let (link, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
    fatalError("\(path) can't be written.")
}
let sink = try MirrorSink(link: link)
sink.start()
for await event in sink.events {
    switch event {
    case .played(let video, _): print("\(video.format.rawValue), \(video.width)x\(video.height)")
    case .received(_, let frame): try file.write(contentsOf: Data(frame.annexB))
    case .ended(let error): print(error)
    default: break
    }
}
