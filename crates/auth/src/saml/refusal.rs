//! Reasons to refuse a response before its signature is verified.

/// Reason to refuse a response before its signature is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The response is larger than [`RESPONSE_BYTES_MAX`](super::outline::RESPONSE_BYTES_MAX), or has too many elements
    /// or too deep nesting.
    #[error("the response is too large")]
    Size,
    /// The response is not well-formed XML in UTF-8.
    #[error("the response is not well-formed XML in UTF-8")]
    Malformed,
    /// The response has a DTD, a CDATA section, a comment or a processing instruction.
    #[error("the response has a DTD, a CDATA section, a comment or a processing instruction")]
    Markup,
    /// The root is not the only `Response`.
    #[error("the root is not the only Response")]
    Response,
    /// The provider refused the sign-in and sent no assertion.
    #[error("the provider did not sign the person in")]
    Denied,
    /// The assertion is encrypted, but encryption is not accepted here or the provider has no key for it.
    #[error("the assertion is encrypted, and there is no key for it")]
    Encrypted,
    /// The assertion is encrypted, and the response has no signature.
    #[error("the assertion is encrypted, and the Response is not signed")]
    EncryptedUnsigned,
    /// The encrypted assertion has an unexpected shape, or an algorithm that is not accepted.
    #[error("the encryption has a shape or an algorithm that is not accepted")]
    Encryption,
    /// The response does not have exactly one `Assertion` as a child.
    #[error("there is not exactly one Assertion in the Response")]
    Assertion,
    /// The subject of the assertion does not have exactly one `NameID`.
    #[error("the subject of the Assertion has not exactly one NameID")]
    NameId,
    /// An id is missing, repeated or in an attribute other than `ID`.
    #[error("an ID is missing, repeated or has another name")]
    Id,
    /// Neither the response nor the assertion is signed.
    #[error("neither the Response nor the Assertion is signed")]
    Unsigned,
    /// A signature is not a child of the response or the assertion, or not its only one.
    #[error("a Signature is misplaced")]
    Misplaced,
    /// A signature has parts other than one reference to its parent.
    #[error("a Signature does not refer to its parent alone")]
    Reference,
    /// An algorithm is not accepted.
    #[error("an algorithm of a Signature is not accepted")]
    Algorithm,
}
