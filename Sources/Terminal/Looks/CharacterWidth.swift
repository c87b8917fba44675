internal import CLinux
internal import Glibc
package import TextScreen

extension TextMeasure {
    /// As terminals count: wcwidth(3) of the C library in a UTF-8 locale; for any thread.
    package static let ofTerminals: TextMeasure = {
        CharacterLocale.set()
        return TextMeasure { Int(wcwidth(wchar_t(bitPattern: $0.value))) }
    }()
}

/// The part of the locale that says how characters are written, and how wide they are.
enum CharacterLocale {
    /// Sets it to the user's one where that is UTF-8, and to C.UTF-8 otherwise; once.
    ///
    /// All other parts stay as they are, so that numbers keep their points. setlocale(3) is for no two threads at once,
    /// so this belongs to a program's beginning.
    static func set() {
        _ = once
    }

    private static let once: Void = {
        setlocale(LC_CTYPE, "")
        if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }()
}
