import Foundation
import HelioBroadcast
import HelioHeartbeat

// A process with a heartbeat, for the test that kills it.
//
//   HeartbeatProgram FOLDER [MILLISECONDS]     the time between two beats; 5 s, as in earnest
//
// Ends in good order after a line, or the end, of its input.

var settings = HeartbeatSettings()
if CommandLine.arguments.count > 2, let interval = Int(CommandLine.arguments[2]) {
    settings.interval = .milliseconds(interval)
}
let sender = try HeartbeatSender(in: CommandLine.arguments[1], settings: settings)
print("It beats.")
// A pipe gets whole blocks.
fflush(nil)
_ = readLine()
sender.end()
