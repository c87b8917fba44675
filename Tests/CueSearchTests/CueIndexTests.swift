import CueSearch
import Testing
import WireProtocol

private func cues(_ texts: [String]) -> [Cue] {
    texts.enumerated().map { Cue(index: $0 + 1, start: Double($0), end: Double($0) + 1, text: $1) }
}

/// The texts found, the best first.
private func found(_ words: String, in texts: [String]) -> [String] {
    CueIndex(cues(texts)).find(words).map { texts[$0.place] }
}

@Suite("Letters that are the same to who looks for them") struct FoldingTests {
    @Test(
        "case, accents, width and spelling are put aside",
        arguments: [
            ("HELLO", "hello"), ("hello", "HELLO"), ("café", "cafe"), ("cafe", "CAFÉ"), ("cafe\u{301}", "café"),
            ("garçon à Noël", "garcon a noel"), ("Tiếng Việt", "tieng viet"), ("naïve", "naive"), ("Straße", "strasse"),
            ("STRASSE", "straße"), ("GROẞ", "gross"), ("ISTANBUL", "istanbul"), ("İstanbul", "istanbul"),
            ("ılık", "ilik"), ("ILIK", "ılık"), ("ﬁnal ﬂight", "final flight"), ("ſo", "so"), ("Œuvre", "oeuvre"),
            ("Æsop", "aesop"), ("smørrebrød", "smorrebrod"), ("Łódź", "lodz"), ("Đorđe", "dorde"), ("Þór", "thor"),
            ("ΟΔΥΣΣΕΎΣ", "οδυσσευς"), ("Οδυσσεύς", "ΟΔΥΣΣΕΥΣ"), ("ёлка", "елка"), ("Йод", "йод"), ("її", "ІЇ"),
            ("ＨＥＬＬＯ　１２３", "hello 123"), ("ｶﾞｷﾞｸﾞ", "がぎぐ"), ("カタカナ", "かたかな"), ("ﾊﾝｶｸ", "はんかく"),
            ("مُحَمَّد", "محمد"), ("محمد", "مُحَمَّد"), ("أحمد إلى آخر", "احمد الي اخر"), ("العـــربية", "العربيه"),
            ("فارسی", "فارسي"), ("٣٤٥", "345"), ("שָׁלוֹם", "שלום"), ("שלום", "שָׁלוֹם"), ("शून्य", "शून्य"),
            ("don’t", "don't"), ("don't", "dont"), ("dont", "don’t"), ("می‌خواهم", "میخواهم"),
            ("co\u{AD}operate", "cooperate"),
            ("한국", "한국"), ("naïve 👍🏽 ok", "naive ok"),
        ])
    func same(_ text: String, _ query: String) {
        #expect(found(query, in: ["qqq", text]) == [text])
    }

    @Test(
        "what tells words apart stays",
        arguments: [
            ("ญี่ปุ่น", "ญปน"), ("हिंदी", "हद"), ("がき", "かき"), ("cat", "car"), ("한국", "항국"), ("мир", "мор"), ("你好", "你们"),
        ])
    func different(_ text: String, _ query: String) {
        #expect(found(query, in: [text]).isEmpty)
    }
}

@Suite("What is found") struct FindingTests {
    private let film = [
        "Where are you going?", "I am going home,\nto my house.", "You are not going anywhere!",
        "Home is where you are.",
        "♪ La la la ♪", "It costs $20, C++ costs more.", "Krankenhaus", "L'homme qui rit", "我不知道该说什么。",
        "昨日の夜はどこにいたの？", "איפה הבית שלי?", "ฉันไม่รู้จะพูดอะไร", "어젯밤에 어디 있었어요?",
    ]

    @Test(
        "lines that have all the words",
        arguments: [
            ("going home", [1]), ("home going", [1]), ("you are", [2, 3, 0]), ("are you", [0, 2, 3]), ("house", [1]),
            ("hous", [1]), ("nowhere", []), ("going nowhere", []), ("home, to my", [1]), ("HOME; TO -- MY", [1]),
            ("♪", [4]), ("$20", [5]), ("c++", [5]), ("homme", [7]), ("l'homme", [7]), ("lhomme", [7]), ("haus", [6]),
            ("知道", [8]), ("不知道", [8]), ("什么 知道", [8]), ("夜は", [9]), ("よる", []), ("בית", [10]), ("הבית", [10]),
            ("พูด", [11]), ("어디", [12]), ("어ㄷ", []), ("어제", [12]), ("어젯바", [12]),
        ])
    func lines(_ query: String, _ places: [Int]) {
        #expect(CueIndex(cues(film)).find(query).map(\.place) == places)
    }

    @Test("a query without a letter finds nothing", arguments: ["", "   ", "...", "?!", "\u{200B}", "\u{301}", "\n"])
    func nothing(_ query: String) {
        #expect(found(query, in: film).isEmpty)
    }

    @Test("a sentence that goes on in the next line is found where it begins") func acrossCues() {
        let texts = ["To be, or", "not to be,", "that is the question."]
        #expect(CueIndex(cues(texts)).find("or not to be") == [CueMatch(place: 0, rank: .phraseAcrossCues)])
        #expect(CueIndex(cues(texts)).find("be that is") == [CueMatch(place: 1, rank: .phraseAcrossCues)])
    }

    @Test("two letters are not looked for within words, three are") func insideWords() {
        #expect(found("om", in: ["home", "om"]) == ["om"])
        #expect(found("ome", in: ["home", "omega"]) == ["omega", "home"])
    }

    @Test("lines without a letter are passed over and keep their places") func emptyLines() {
        #expect(CueIndex(cues(["…", "", "one", "-", "two", "!"])).find("two").map(\.place) == [4])
        #expect(CueIndex([]).find("two").isEmpty)
        #expect(CueIndex(cues(["…"])).find("two").isEmpty)
    }

    @Test("a word typed twice needs to stand there once") func repeated() {
        #expect(found("no no", in: ["no", "no, no"]) == ["no, no", "no"])
    }

    @Test("a very long query is cut, not refused") func longQuery() {
        #expect(found(String(repeating: "home ", count: 10_000), in: film).count == 2)
        #expect(found(String(repeating: "x", count: 1_000_000), in: film).isEmpty)
    }
}

@Suite("The order of what is found") struct RankTests {
    @Test("phrase, phrase across lines, unfinished phrase, words, beginnings, middles; in order before not in order")
    func ranks() {
        let texts = [
            "the preredder house", "the redder, her housework", "a housework; redder", "house, all in red",
            "red brick house",
            "redhouse red housework", "Red", "house of cards", "the red house",
        ]
        #expect(
            CueIndex(cues(texts)).find("red house").map { "\(texts[$0.place]): \($0.rank)" } == [
                "the red house: phrase", "Red: phraseAcrossCues", "redhouse red housework: unfinishedPhrase",
                "red brick house: wordsInOrder", "house, all in red: words",
                "the redder, her housework: prefixesInOrder", "a housework; redder: prefixes",
                "the preredder house: inside",
            ])
    }

    @Test("of equal ones the earlier line comes first, and no more than the limit") func ties() {
        let index = CueIndex(cues((0..<100).map { "line \($0)" }))
        #expect(index.find("line", limit: 3).map(\.place) == [0, 1, 2])
        #expect(index.find("line").count == 100)
    }

    @Test("in order is only what costs no whole word") func orderAndWholeness() {
        #expect(CueIndex(cues(["house redder house red"])).find("red house") == [CueMatch(place: 0, rank: .words)])
    }
}

@Suite("A film's lines while typing") struct TypingTests {
    @Test(
        "each letter more keeps what still fits", arguments: ["where are you going", "не знаю что сказать", "我不知道该说什么"])
    func narrowing(_ sentence: String) {
        let index = CueIndex(cues(["where were we", sentence, "where are they", "не знал", "我不是"]))
        var places = Set(0..<5)
        for length in 1...sentence.count {
            let typed = String(sentence.prefix(length))
            // Two letters only begin words, three may stand inside, so nothing is lost by the third.
            let now = Set(index.find(typed).map(\.place))
            #expect(now.contains(1), "\(typed)")
            if length > 3 { #expect(now.isSubset(of: places)) }
            places = now
        }
    }

    @Test(
        "a query without a word is told apart from one that finds nothing",
        arguments: [("", false), (" ?!", false), ("a", true), ("♪", true)])
    func words(_ query: String, _ canFind: Bool) {
        #expect(CueIndex.canFind(query) == canFind)
    }
}
