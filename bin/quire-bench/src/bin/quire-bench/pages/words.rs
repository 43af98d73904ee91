//! Vocabulary and random choices.

/// Words from frequent to rare: the generator prefers the first ones, as natural text does.
pub(super) const WORDS: [&str; 96] = [
    "the",
    "server",
    "with",
    "to",
    "of",
    "and",
    "a",
    "in",
    "is",
    "for",
    "request",
    "configuration",
    "service",
    "file",
    "when",
    "node",
    "on",
    "page",
    "command",
    "value",
    "default",
    "database",
    "each",
    "data",
    "cluster",
    "user",
    "that",
    "token",
    "time",
    "space",
    "from",
    "by",
    "memory",
    "one",
    "connection",
    "network",
    "index",
    "option",
    "start",
    "number",
    "folder",
    "environment",
    "install",
    "version",
    "role",
    "backup",
    "member",
    "change",
    "log",
    "read",
    "write",
    "replica",
    "address",
    "certificate",
    "update",
    "key",
    "event",
    "message",
    "limit",
    "storage",
    "query",
    "table",
    "deploy",
    "release",
    "upgrade",
    "metric",
    "alert",
    "monitor",
    "container",
    "volume",
    "proxy",
    "balance",
    "timeout",
    "retry",
    "queue",
    "worker",
    "schedule",
    "archive",
    "restore",
    "migrate",
    "encrypt",
    "rotate",
    "audit",
    "policy",
    "region",
    "tenant",
    "quota",
    "throttle",
    "checkpoint",
    "snapshot",
    "failover",
    "quorum",
    "latency",
    "throughput",
    "compaction",
    "tombstone",
];

pub(super) const VERBS: [&str; 16] = [
    "Configure",
    "Install",
    "Monitor",
    "Migrate",
    "Back up",
    "Restore",
    "Secure",
    "Scale",
    "Upgrade",
    "Deploy",
    "Audit",
    "Connect",
    "Schedule",
    "Encrypt",
    "Balance",
    "Observe",
];

pub(super) const NOUNS: [&str; 16] = [
    "clusters",
    "replicas",
    "backups",
    "certificates",
    "workers",
    "queues",
    "networks",
    "volumes",
    "tenants",
    "proxies",
    "snapshots",
    "policies",
    "tokens",
    "regions",
    "metrics",
    "archives",
];

pub(super) const SYLLABLES: [&str; 16] =
    ["ba", "co", "du", "fe", "gi", "ka", "lo", "mu", "ne", "pi", "ra", "so", "tu", "ve", "wi", "zo"];

/// SplitMix64: equal seeds give equal pages on every machine and in every version.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: usize) -> Self {
        Self(u64::try_from(seed).unwrap_or(u64::MAX).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len())).copied().unwrap_or_default()
    }

    /// A word of the vocabulary; frequency falls with its index.
    pub(crate) fn word(&mut self) -> &'static str {
        let bound = self.below(WORDS.len()) + 1;
        WORDS.get(self.below(bound)).copied().unwrap_or_default()
    }

    pub(super) fn words(&mut self, least: usize, most: usize) -> String {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn sentence(&mut self) -> String {
        let words = self.words(8, 18);
        let mut characters = words.chars();
        let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", characters.as_str())
    }
}
