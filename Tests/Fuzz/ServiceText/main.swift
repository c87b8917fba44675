import Discovery
import FuzzKit
import WireProtocol

func mustBeToken(_ text: String?, maximumBytes: Int) {
    guard let text else { return }
    must((1...maximumBytes).contains(text.utf8.count), "a token is neither empty nor over-long")
    must(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a token is visible ASCII")
}

fuzz { input in
    var choices = Choices(input)
    var strings: [[UInt8]] = []
    // A record is strings with a length byte each, as DNS has it.
    while !choices.isAtEnd { strings.append(choices.bytes(Int(choices.byte()))) }
    let text = ServiceText(strings: strings)
    mustBeToken(text.hostID, maximumBytes: Limits.identifierBytes)
    mustBeToken(text.fingerprint, maximumBytes: 64)
    must(text.protocolVersions.lowerBound >= 1, "versions are counted from 1")
    // What a record says about pairing counts only beside `tls`, where it is announced.
    var expected = text
    if text.security == .none { expected.isPairing = false }
    must(ServiceText(strings: text.strings) == expected, "a record reads back as it is announced")
    for string in text.strings { must(string.count <= 255, "a string fits a DNS record") }

    let name = String(decoding: strings.first ?? [], as: UTF8.self)
    let instance = HostAdvertisement(name: name, port: 1, reach: .network, text: text).name
    must((1...63).contains(instance.utf8.count), "an instance name is 1 to 63 bytes")
    mustBeSafe(instance, "an instance name")
}
