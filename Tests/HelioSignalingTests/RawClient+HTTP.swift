extension RawClient {
    static func request(
        _ method: String = "GET", _ target: String = "/", host: String? = "localhost", _ lines: [String] = []
    ) -> String {
        (["\(method) \(target) HTTP/1.1"] + (host.map { ["Host: \($0)"] } ?? []) + lines + ["", ""])
            .joined(separator: "\r\n")
    }

    /// Reads the next response.
    ///
    /// - Parameter hasContent: whether the response has content; that of HEAD has none.
    func answer(hasContent: Bool = true) async throws -> HTTPAnswer {
        let lines = try await readHead().split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let status = Int(lines[0].split(separator: " ")[1])!
        let length = hasContent && status != 304 ? Int(headers["content-length"] ?? "0")! : 0
        return HTTPAnswer(status: status, headers: headers, content: try await read(length))
    }

    func ask(
        _ method: String = "GET", _ target: String = "/", host: String? = "localhost", _ lines: [String] = []
    ) async throws -> HTTPAnswer {
        try await send(Self.request(method, target, host: host, lines))
        return try await answer(hasContent: method != "HEAD")
    }
}
