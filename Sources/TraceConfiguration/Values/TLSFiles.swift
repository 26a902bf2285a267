package import SystemPackage

/// The files with which the HTTP API encrypts, both in PEM.
package struct TLSFiles: Sendable, Hashable {
    /// The certificate, and behind it those that lead to its authority.
    package let certificate: FilePath
    /// The private key of the certificate.
    package let key: FilePath
}
