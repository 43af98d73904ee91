//! Memory budget of all caches of a node.

/// Total size in bytes of all caches of immutable content, and the share of each. Additional memory (queues of the
/// caches, the largest tree in use) is small or short-lived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheBudget {
    bytes: u64,
}

impl Default for CacheBudget {
    fn default() -> Self {
        Self::new(Self::DEFAULT_BYTES)
    }
}

macro_rules! shares {
    ($($(#[$meta:meta])* $name:ident = $parts:literal;)*) => {
        impl CacheBudget {
            $($(#[$meta])*
            #[must_use]
            pub const fn $name(self) -> u64 {
                self.parts($parts)
            })*
        }

        const _: () = assert!(0 $(+ $parts)* == 32, "the shares are the whole budget");
    };
}

shares! {
    /// Response bodies of content reads, compressed.
    answers = 13;
    /// Pages of published sites, in the requested content encodings.
    site_pages = 2;
    /// Documents, as JSON.
    documents = 4;
    /// Trees of pages.
    trees = 6;
    /// Indexes of links.
    links = 2;
    /// Sections of documents. The merge after an edit needs them soon.
    sections = 1;
    /// Overlays with pages that the search index lacks.
    overlays = 3;
    /// Computed pages: outlines of OpenAPI specifications, and trees with their pages, half each.
    computed = 1;
}

impl CacheBudget {
    /// Default size in bytes.
    pub const DEFAULT_BYTES: u64 = 36 << 20;

    /// Creates a budget of this many bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self { bytes }
    }

    const fn parts(self, count: u64) -> u64 {
        self.bytes.div_euclid(32).saturating_mul(count)
    }
}
