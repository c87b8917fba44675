package import WireProtocol

/// The JSON schemas of this version's messages, as a host hands them out.
package enum SchemaShelf {
    /// Answers `describe`: the names of all, or the one of that name.
    package static func answer(name: String?) -> Result<SchemaReply, WireError> {
        guard let name else { return .success(.names(SchemaTexts.all.map(\.name))) }
        guard let found = SchemaTexts.all.first(where: { $0.name == name }) else {
            let shown = SafeText.line(name, maximumCharacters: 40)
            return .failure(
                WireError(.invalidArgument, "There is no schema \(shown); describe without a name lists them."))
        }
        return .success(.schema(name: name, text: found.text))
    }
}
