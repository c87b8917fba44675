import Charset
import Subtitles
import Testing
import WireProtocol

/// Dialogue as films have it, in the code pages their subtitles come in.
struct Sample: Sendable, CustomTestStringConvertible {
    let language: String
    let encodings: [String]
    let lines: [String]

    var testDescription: String { language }

    init(_ language: String, _ encodings: String..., lines: [String]) {
        self.language = language
        self.encodings = encodings
        self.lines = lines
    }

    static let all = [
        Sample(
            "Polish", "WINDOWS-1250", "ISO-8859-2",
            lines: [
                "Cześć, jak się masz?", "Nie wiem, co powiedzieć.", "Gdzie byłeś wczoraj?", "Śpieszmy się, źle jest!",
            ]),
        Sample(
            "Czech", "WINDOWS-1250",
            lines: ["Ahoj, jak se máš?", "Nevím, co mám říct.", "Kde jsi byl včera večer?", "Žádný příteli… Šťastně!"]),
        Sample(
            "Hungarian", "WINDOWS-1250",
            lines: [
                "Szia, hogy vagy?", "Nem tudom, mit mondjak.", "Hol voltál tegnap este?", "Őrült vagy? Fűzős cipő!",
            ]),
        Sample(
            "Croatian", "WINDOWS-1250",
            lines: [
                "Kako si, Željko?", "Ne znam što da kažem.", "Gdje si bio noćas?", "Moramo odmah ići, žurno! Đavo.",
            ]),
        Sample(
            "Russian", "WINDOWS-1251", "KOI8-R", "IBM866", "ISO-8859-5",
            lines: ["Привет, как дела?", "Я не знаю, что сказать.", "Где ты был вчера вечером?", "ПОМОГИТЕ! Нам пора."]),
        Sample(
            "Ukrainian", "WINDOWS-1251", "KOI8-U",
            lines: [
                "Привіт, як справи?", "Я не знаю, що сказати.", "Де ти був учора ввечері?", "Її звуть Єва, їй шість.",
            ]),
        Sample(
            "Bulgarian", "WINDOWS-1251",
            lines: ["Здравей, как си?", "Не знам какво да кажа.", "Къде беше снощи?", "Трябва да тръгваме!"]),
        Sample(
            "Serbian", "WINDOWS-1251",
            lines: ["Здраво, како си?", "Не знам шта да кажем.", "Где си био синоћ?", "Морамо одмах да идемо, љубави!"]),
        Sample(
            "French", "WINDOWS-1252", "ISO-8859-1",
            lines: [
                "Bonjour, ça va ?", "Je ne sais pas quoi dire là-bas.", "Où étais-tu hier ?",
                "Nous étions fâchés, bête !",
            ]
        ),
        Sample(
            "French with curly quotes", "WINDOWS-1252",
            lines: ["Bonjour, ça va ?", "Je n’sais pas… là-bas.", "“Où étais-tu hier ?”", "L’été, le cœur à Paris."]),
        Sample(
            "German", "WINDOWS-1252",
            lines: [
                "Hallo, wie geht’s dir?", "Ich weiß nicht, was.", "Für uns war es schön.", "Über die Brücke, Ärger!",
            ]),
        Sample(
            "Spanish", "WINDOWS-1252",
            lines: ["¡Hola! ¿Cómo estás?", "No sé qué decir, señor.", "¿Dónde estuviste anoche?", "¡Vámonos ya, niño!"]),
        Sample(
            "Portuguese", "WINDOWS-1252",
            lines: [
                "Olá, como está?", "Não sei o que dizer.", "Você estava à noite?", "É uma situação difícil, irmão.",
            ]),
        Sample(
            "Swedish", "WINDOWS-1252",
            lines: [
                "Hej, hur mår du?", "Jag vet inte vad jag ska säga.", "Var var du i går kväll?", "För sjutton, gå nu!",
            ]),
        Sample(
            "Danish", "WINDOWS-1252",
            lines: [
                "Hvordan går det?", "Jeg ved ikke, hvad jeg skal sige.", "Hvor var du i går?",
                "Vi må gå, søde øre, på æren!",
            ]
        ),
        Sample(
            "Greek", "WINDOWS-1253", "ISO-8859-7",
            lines: [
                "Γεια σου, τι κάνεις;", "Δεν ξέρω τι να πω.", "Πού ήσουν χθες το βράδυ;", "Άντε, πρέπει να φύγουμε!",
            ]),
        Sample(
            "Turkish", "WINDOWS-1254",
            lines: [
                "Merhaba, nasılsın?", "Ne diyeceğimi bilmiyorum.", "Dün gece neredeydin?",
                "İşte şimdi gitmemiz gerekiyor!",
            ]
        ),
        Sample(
            "Hebrew", "WINDOWS-1255",
            lines: ["שלום, מה שלומך?", "אני לא יודע מה להגיד.", "איפה היית אתמול בלילה?", "אנחנו חייבים ללכת!"]),
        Sample(
            "Arabic", "WINDOWS-1256",
            lines: ["مرحبا، كيف حالك؟", "لا أعرف ماذا أقول.", "أين كنت الليلة الماضية؟", "يجب أن نذهب الآن!"]),
        Sample(
            "Persian", "WINDOWS-1256",
            lines: ["سلام، حال شما چطور است؟", "نميدانم چه بگويم.", "ديشب کجا بودي؟", "بايد همين الان برويم!"]),
        Sample(
            "Thai", "TIS-620",
            lines: ["สวัสดี คุณเป็นอย่างไรบ้าง", "ฉันไม่รู้จะพูดอะไร", "เมื่อคืนคุณอยู่ที่ไหน", "เราต้องไปเดี๋ยวนี้"]),
        Sample(
            "Japanese", "SHIFT_JIS", "CP932", "EUC-JP",
            lines: ["こんにちは、元気ですか？", "何を言えばいいのかわからない。", "昨日の夜はどこにいたの？", "表と裏を予約する。"]),
        Sample(
            "Simplified Chinese", "GB18030", "GB2312",
            lines: ["你好，你好吗？", "我不知道该说什么。", "你昨晚在哪里？", "我们现在必须走！"]),
        Sample(
            "Traditional Chinese", "BIG5",
            lines: ["你好，你好嗎？", "我不知道該說什麼。", "你昨晚在哪裡？", "功課許多，我們必須走！"]),
        Sample(
            "Cantonese", "BIG5-HKSCS",
            lines: ["佢哋喺邊度呀？", "我唔知道喎。", "快啲走啦！"]),
        Sample(
            "Slovak", "WINDOWS-1250",
            lines: ["Ahoj, ako sa máš?", "Neviem, čo mám povedať.", "Kde si bol včera?", "Ľúbim ťa, môj žltý kôň."]),
        Sample(
            "Romanian", "WINDOWS-1250",
            lines: ["Bună, ce mai faci?", "Nu ştiu ce să spun.", "Unde ai fost aseară?", "Trebuie, ţine minte!"]),
        Sample(
            "Italian", "WINDOWS-1252",
            lines: ["Perché non vieni?", "È così, però…", "Sarà già lì.", "Più tardi, papà."]),
        Sample(
            "English with one foreign word", "WINDOWS-1252",
            lines: ["Hello there.", "I don't know.", "A café in Paris.", "Good bye."]),
        Sample(
            "English with curly quotes", "WINDOWS-1252",
            lines: ["I don’t know.", "“What?” he said.", "It’s—well… fine.", "It costs £5."]),
        Sample(
            "Latvian", "WINDOWS-1257",
            lines: ["Kā tev klājas?", "Es nezinu, ko teikt.", "Kur tu biji vakar vakarā?", "Mums tūlīt jāiet, žēl."]),
        Sample(
            "Korean", "EUC-KR", "UHC",
            lines: ["안녕하세요, 잘 지내세요?", "무슨 말을 해야 할지 모르겠어요.", "어젯밤에 어디 있었어요?", "지금 가야 해요!"]),
    ]

    /// Each sample in each of its code pages.
    static let pairs = all.flatMap { sample in sample.encodings.map { (sample, $0) } }
}

@Suite("Files in old code pages") struct CodePageTests {
    @Test("four lines are enough to tell the language", arguments: Sample.pairs)
    func fourLines(_ sample: Sample, _ encoding: String) throws {
        let document = try read(bytes(file(sample.lines), in: encoding))
        #expect(document.cues.map(\.text) == sample.lines)
    }

    @Test("a whole film is read as well as four lines", arguments: Sample.pairs)
    func aFilm(_ sample: Sample, _ encoding: String) throws {
        let lines = (0..<60).flatMap { _ in sample.lines }
        let text = lines.enumerated().map { number, line in
            let (minute, second) = (10 + number / 60, 10 + number % 60 % 50)
            return "\(number + 1)\n00:\(minute):\(second),000 --> 00:\(minute):\(second),900\n\(line)\n"
        }
        let document = try read(bytes(text.joined(separator: "\n"), in: encoding))
        #expect(Set(document.cues.map(\.text)) == Set(sample.lines))
        #expect(document.cues.count == lines.count)
    }

    @Test("the guess is told with the line of the first letter that it decided") func theGuessIsTold() throws {
        let document = try read(bytes(file(["Hello", "Привет, как дела?"]), in: "WINDOWS-1251"))
        #expect(document.encoding == "WINDOWS-1251")
        #expect(
            document.repairs == [
                Repair(
                    line: 7,
                    sentence:
                        "the file is not UTF-8; it was read as WINDOWS-1251, which was guessed (--encoding NAME sets another)"
                )
            ])
    }

    @Test("a letter alone is taken for one of Western Europe") func oneLetter() throws {
        let document = try read(bytes(file(["Hello.", "A café."]), in: "WINDOWS-1252"))
        #expect(document.encoding == "WINDOWS-1252")
        #expect(document.cues.last?.text == "A café.")
    }

    @Test("the mark of UTF-8 before text of an old code page changes nothing") func markBeforeOldText() throws {
        let lines = ["Привет, как дела?", "Где ты был?"]
        let document = try read([0xEF, 0xBB, 0xBF] + bytes(file(lines), in: "WINDOWS-1251"))
        #expect(document.cues.map(\.text) == lines)
        #expect(document.cues.map(\.index) == [1, 2])
    }

    @Test("all bad bytes are counted where the user says that it is UTF-8") func countOfBadBytes() throws {
        let text = String(repeating: "я", count: 10_000)
        let document = try read(bytes(file([text]), in: "WINDOWS-1251"), encoding: "utf-8")
        #expect(document.repairs.map(\.sentence) == ["10000 bytes from here on are not UTF-8 and became �"])
    }

    @Test("--encoding overrides the guess", arguments: ["KOI8-R", "koi8-r", "WINDOWS-1251", "cp866"])
    func override(_ encoding: String) throws {
        let lines = ["Привет, как дела?", "Где ты был?"]
        let document = try read(bytes(file(lines), in: encoding), encoding: encoding)
        #expect(document.cues.map(\.text) == lines)
        #expect(document.repairs.isEmpty)
    }

    @Test("--encoding also overrides what looks like UTF-8") func overrideUTF8() throws {
        let document = try read(Array(file(["é"]).utf8), encoding: "WINDOWS-1252")
        #expect(document.cues.map(\.text) == ["Ã©"])
    }

    @Test(
        "--encoding takes the Unicode ones too",
        arguments: ["UTF-16", "UTF-16LE", "UTF-16BE", "UCS-2", "UTF-32", "UTF-7"])
    func unicodeEncodings(_ encoding: String) throws {
        let document = try read(bytes(file(["Grüße, 世界"]), in: encoding), encoding: encoding)
        #expect(document.cues.map(\.text) == ["Grüße, 世界"])
    }

    @Test(
        "a name that is none is refused",
        arguments: ["klingon", "", "UTF-8//IGNORE", "WINDOWS-1251//TRANSLIT", "../../etc", "a\0b"])
    func noSuchEncoding(_ encoding: String) {
        #expect(!SystemCodePages().knows(encoding))
        #expect(throws: SubtitleError.self) { try read(Array(file(["Hi"]).utf8), encoding: encoding) }
    }
}

@Suite("UTF-8 is never guessed away") struct UTF8IsKeptTests {
    @Test("valid UTF-8 of every language stays as it is", arguments: Sample.all)
    func valid(_ sample: Sample) throws {
        let document = try read(Array(file(sample.lines).utf8))
        #expect(document.cues.map(\.text) == sample.lines)
        #expect(document.encoding == "UTF-8")
        #expect(document.repairs.isEmpty)
    }

    @Test("letters that a program took apart wrongly cost themselves only") func surrogates() throws {
        let document = try read(
            Array("1\n00:00:01,000 --> 00:00:02,000\nhi ".utf8) + [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]
                + Array(" Zoë\n".utf8))
        #expect(document.encoding == "UTF-8")
        #expect(document.cues[0].text.hasPrefix("hi \u{FFFD}") && document.cues[0].text.hasSuffix("\u{FFFD} Zoë"))
    }

    @Test("one letter in a film of ASCII is enough") func oneLetter() throws {
        let lines = (0..<40).map { "Line \($0)" } + ["Zoë"]
        #expect(try read(Array(file(lines).utf8)).cues.last?.text == "Zoë")
    }

    @Test("a bad byte in UTF-8 costs one character", arguments: Sample.all)
    func oneBadByte(_ sample: Sample) throws {
        let good = Array(file(sample.lines + ["end"]).utf8)
        let text = Array("end".utf8)
        let place = try #require(good.indices.last { good[$0...].starts(with: text) })
        for bad: UInt8 in [0x80, 0xC0, 0xE9, 0xFF] {
            let document = try read(good[..<place] + [bad] + good[place...])
            #expect(document.cues.map(\.text) == sample.lines + ["\u{FFFD}end"])
            #expect(document.repairs.map(\.sentence) == ["a byte is not UTF-8 and became �"])
            #expect(document.repairs.map(\.line) == [4 * sample.lines.count + 3])
        }
    }

    @Test("a file cut within a letter loses that letter", arguments: Sample.all)
    func cutAtTheEnd(_ sample: Sample) throws {
        let whole = Array(file(sample.lines + ["世"]).utf8.dropLast(4))
        for missing in 1...2 {
            let document = try read(Array(whole.dropLast(missing)))
            #expect(document.cues.map(\.text) == sample.lines + ["\u{FFFD}"])
        }
    }

    @Test("a line of an old code page in a file of UTF-8 costs its own letters only") func joinedFiles() throws {
        let bytes =
            Array(file(["Où étais-tu ?", "Ça va", "déjà"]).utf8) + [0x0A]
            + (try bytes("4\n00:01:00,000 --> 00:01:01,000\nhôtel", in: "WINDOWS-1252"))
        #expect(try read(bytes).cues.map(\.text) == ["Où étais-tu ?", "Ça va", "déjà", "h\u{FFFD}tel"])
    }
}

@Suite("Damage in old code pages") struct DamagedCodePageTests {
    @Test("a byte that means nothing costs one character and is told") func oneBadByte() throws {
        let lines = ["こんにちは、元気ですか？", "何を言えばいいのかわからない。"]
        var bytes = try bytes(file(lines + ["end"]), in: "SHIFT_JIS")
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "e")))
        bytes.insert(0xFF, at: place)
        let document = try read(bytes)
        #expect(document.cues.map(\.text) == lines + ["\u{FFFD}end"])
        #expect(document.repairs.map(\.sentence).contains { $0.hasPrefix("a byte is not ") })
    }

    @Test("half a character at a line's end takes neither the line end nor the next cue with it")
    func halfACharacter() throws {
        let lines = ["你好，你好吗？", "我不知道该说什么。"]
        let whole = try bytes(file(lines + ["end"]), in: "GB18030")
        let end = try #require(whole.indices.dropFirst().first { whole[$0] == 0x0D && whole[$0 - 1] >= 0x80 })
        let document = try read(Array(whole[..<(end - 1)]) + Array(whole[end...]))
        #expect(document.cues.count == 3)
        #expect(document.cues.dropFirst().map(\.text) == Array((lines + ["end"]).dropFirst()))
        #expect(document.cues[0].text.hasPrefix("你好，你好吗"))
    }

    @Test("any bytes at all give an answer in every encoding glibc and uchardet know of", arguments: 0..<40)
    func randomBytes(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random() -> UInt8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        let noise = (0..<600).map { _ in random() }
        let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + noise
        for encoding in [
            nil, "SHIFT_JIS", "GB18030", "BIG5", "EUC-KR", "EUC-JP", "ISO-2022-JP", "UTF-16", "UTF-32", "UTF-7",
            "WINDOWS-1255", "TIS-620",
        ] {
            if let document = try? read(bytes, encoding: encoding) { #expect(!document.cues.isEmpty) }
        }
    }
}
