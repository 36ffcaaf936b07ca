import Foundation
import HelioBroadcast
import HelioHeartbeat

// A process with a heartbeat, for the test that kills it.
//
//   HeartbeatProgram FOLDER [MILLISECONDS]     the beat interval; 5 s by default
//
// Exits normally after a line of standard input, or at its end.

var settings = HeartbeatSettings()
if CommandLine.arguments.count > 2, let interval = Int(CommandLine.arguments[2]) {
    settings.interval = .milliseconds(interval)
}
let sender = try HeartbeatSender(in: CommandLine.arguments[1], settings: settings)
print("It beats.")
// A pipe is block-buffered.
fflush(nil)
_ = readLine()
sender.end()
