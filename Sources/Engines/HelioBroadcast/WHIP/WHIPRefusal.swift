/// The failures for a WHIP server's responses to an offer, other than 201 and a valid redirection.
enum WHIPRefusal {
    static func failure(_ response: WHIPResponse) -> BroadcastFailure {
        let status = response.status
        switch status {
        case 401, 403:
            return BroadcastFailure(
                .unauthorized, "The WHIP server refuses the token, or wants one and has none (status \(status)).")
        case 404, 410:
            return BroadcastFailure(
                .notFound,
                "The WHIP server has nothing at this address: check what follows the host (status "
                    + "\(status)).")
        case 200..<300, 405, 415, 501, 505:
            return BroadcastFailure(
                .incompatible, "What answers at this address is no WHIP endpoint (status \(status)).")
        case 406, 422:
            return BroadcastFailure(
                .incompatible, "The WHIP server can't take this picture and sound (status \(status)).")
        case 408, 409, 425, 429, 500..<600:
            var failure = BroadcastFailure(
                .busy,
                status == 409
                    ? "The WHIP server takes nobody here at the moment: somebody may be sending already (status 409)."
                    : "The WHIP server takes nobody at the moment (status \(status)).")
            failure.retryAfter = response.retryAfter
            return failure
        case 300..<400:
            return BroadcastFailure(
                .incompatible, "The WHIP server sends us elsewhere in a way that WHIP does not know (status \(status))."
            )
        default:
            return BroadcastFailure(.refused, "The WHIP server refuses the stream (status \(status)).")
        }
    }

    static let withoutLocation = BroadcastFailure(
        .incompatible, "The WHIP server's answer does not say where the session is, as WHIP has it.")
    static let withoutDescription = BroadcastFailure(
        .incompatible, "The WHIP server's answer has no session description.")
    static let tooManyRedirections = BroadcastFailure(
        .incompatible, "The WHIP server sends us from place to place, and to no end.")
    static let badRedirection = BroadcastFailure(
        .incompatible, "The WHIP server sends us to an address that can't be read.")
    static func elsewhere(_ target: HTTPTarget) -> BroadcastFailure {
        BroadcastFailure(
            .untrusted,
            "The WHIP server sends us to another server, \(target), and nothing is asked there in its name: if you trust "
                + "that one too, give its address instead.")
    }
    static let insecure = BroadcastFailure(
        .untrusted, "The WHIP server sends us to a place without TLS, where others could read the token.")
}
