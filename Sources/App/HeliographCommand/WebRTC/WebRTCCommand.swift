internal import ArgumentParser

/// `heliograph webrtc`: makes one WebRTC connection, to test video and data channels.
struct WebRTCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webrtc", abstract: "Try a WebRTC connection: send a picture, play or save one, send messages.",
        discussion: """
            One side offers, the other answers. Each prints one line to be pasted at the other side; it holds no secret, \
            but whoever can change it on its way can sit in between. With --offer-file and --answer-file the lines go by \
            files, and with --json by lines of JSON on standard input and output.

              heliograph webrtc offer --send screen        heliograph webrtc answer --play
              heliograph webrtc offer --channel chat       heliograph webrtc answer --echo

            Ends with Ctrl-C, and when the other side leaves.
            """,
        subcommands: [Offer.self, Answer.self])

    struct Offer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make an offer, and wait for the answer to it.")
        @OptionGroup var arguments: WebRTCArguments

        func validate() throws { try arguments.validate(as: .offer) }
        func run() async throws { try await WebRTCRun.run(arguments, as: .offer) }
    }

    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Wait for an offer, and answer it.")
        @OptionGroup var arguments: WebRTCArguments

        func validate() throws { try arguments.validate(as: .answer) }
        func run() async throws { try await WebRTCRun.run(arguments, as: .answer) }
    }
}
