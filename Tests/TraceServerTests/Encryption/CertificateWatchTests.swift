import SystemPackage
import Testing

@testable import TraceConfiguration
@testable import TraceServer

/// Who looks at the files of the certificate, and until when.
struct CertificateWatchTests {
    private static let files = TLSFiles(certificate: "/nowhere/cert.pem", key: "/nowhere/key.pem")

    @Test func `the files are looked at by one, for as long as anything is to be encrypted`() {
        let certificates = Certificates()
        #expect(!certificates.beginWatch(), "nothing is to be encrypted")
        certificates.adopt(Self.files)
        #expect(certificates.beginWatch())
        #expect(!certificates.beginWatch(), "somebody does")
        #expect(certificates.mustBeWatched())
        certificates.adopt(nil)
        #expect(!certificates.mustBeWatched())
        certificates.adopt(Self.files)
        #expect(!certificates.mustBeWatched(), "it ended before")
        #expect(certificates.beginWatch())
    }

    @Test func `whoever looks goes on if TLS was off only in between`() {
        let certificates = Certificates()
        certificates.adopt(Self.files)
        #expect(certificates.beginWatch())
        certificates.adopt(nil)
        certificates.adopt(Self.files)
        #expect(!certificates.beginWatch())
        #expect(certificates.mustBeWatched())
    }
}
