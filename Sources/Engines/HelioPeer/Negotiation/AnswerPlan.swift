/// The result that setting an answer of this end's will have.
struct AnswerPlan: Sendable {
    var slots: [Slot]
    var agreement: Agreement
}
