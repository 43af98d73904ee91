//! The memory that caches of a node take together.

/// Bytes that all caches of immutable content take together, and the share of each. What they hold in addition (queues
/// of the caches, the largest tree that is in use) is little or short-lived.
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
    /// Finished answers to reads of content, compressed.
    answers = 13;
    /// Pages of published sites, in the codings that were asked for.
    site_pages = 2;
    /// Documents, as JSON.
    documents = 4;
    /// Trees of pages.
    trees = 6;
    /// Indexes of links.
    links = 2;
    /// Sections of documents. They are used again soon after an edit, by its merge.
    sections = 1;
    /// Pages that the search index lacks, as indexes in memory.
    overlays = 3;
    /// Computed pages: outlines of OpenAPI specifications, and trees with their pages, half each.
    computed = 1;
}

impl CacheBudget {
    /// Bytes without a setting.
    pub const DEFAULT_BYTES: u64 = 36 << 20;

    /// A budget of this many bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self { bytes }
    }

    const fn parts(self, count: u64) -> u64 {
        self.bytes.div_euclid(32).saturating_mul(count)
    }
}
