import HelioCore
import HelioMDNS

/// Fuzzes multicast DNS, with any bytes as an answer and as a name to look up.
package enum MDNSFuzz {
    package static func run(_ bytes: [UInt8]) {
        let bytes = Array(bytes.prefix(4096))
        if let answer = MulticastAnswer(parsing: bytes.span.bytes) {
            precondition(answer.records.count <= MulticastAnswer.maximumRecords, "more than is kept")
            for record in answer.records {
                precondition(record.name.utf8.count < 3 * 255, "a name is longer than DNS has any")
                precondition(answer.addresses(of: record.name).contains(record.ip), "a record is not found")
            }
        }
        let name = String(decoding: bytes, as: UTF8.self)
        guard let question = MulticastQuestion(id: 7, name: name).serialised() else { return }
        precondition(MulticastAnswer(parsing: question.span.bytes) == nil, "a question was taken for an answer")
        // Set the response bit in the same message: its question must be skipped correctly.
        var answer = question
        answer[2] = 0x84
        precondition(MulticastAnswer(parsing: answer.span.bytes)?.records == [], "an own name can't be read")
    }
}
