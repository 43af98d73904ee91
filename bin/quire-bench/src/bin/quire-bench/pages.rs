//! Deterministic Markdown pages like those of technical documentation: headings, paragraphs, links, lists, code, quotes
//! and tables.

/// The title of a page.
pub(crate) fn title(number: usize) -> String {
    let mut random = Random::new(number);
    format!("{} {} {number}", random.pick(&VERBS), random.pick(&NOUNS))
}

/// A word that only three consecutive pages contain.
pub(crate) fn rare_word(number: usize) -> String {
    let syllable = |place: u32| {
        let at = 2 * (number / 3 / 16_usize.pow(place) % 16);
        SYLLABLES.get(at..at + 2).unwrap_or_default()
    };
    (0..4).map(syllable).fold("x".to_owned(), |word, syllable| word + syllable)
}

/// A page of at least `bytes` bytes and at most about 1 kB more. Each of its sections links to one of `targets`.
pub(crate) fn page(number: usize, bytes: usize, targets: &[String]) -> String {
    let mut random = Random::new(number);
    let mut text = format!("# {}\n\n{}", title(number), paragraph(number, &mut random, targets));
    for section in 1.. {
        if text.len() >= bytes {
            break;
        }
        let level = if section % 3 == 0 { "###" } else { "##" };
        text.push_str(&format!("{level} {} {}\n\n", random.pick(&VERBS), random.words(2, 4)));
        text.push_str(&paragraph(number, &mut random, targets));
        text.push_str(&block(section, &mut random));
    }
    text
}

fn paragraph(number: usize, random: &mut Random, targets: &[String]) -> String {
    let link = targets.get(random.below(targets.len()));
    let link = link.map(|to| format!("See [{} {}]({to}). ", random.pick(&VERBS), random.pick(&NOUNS)));
    let option = format!("{} Set `{}_{}` and", random.sentence(), random.word(), random.word());
    let (aim, rare) = (random.words(1, 3), rare_word(number));
    let (reason, link) = (random.sentence(), link.unwrap_or_default());
    format!("{option} *{aim}* for {rare}. {reason} {link}{}\n\n", random.sentence())
}

/// A list, a listing, a table or a quote.
fn block(section: usize, random: &mut Random) -> String {
    let (start, line, end): (&str, fn(&mut Random) -> String, &str) = match section % 5 {
        1 => ("", |random| format!("- {}\n", random.words(4, 9)), "\n"),
        2 => ("```sh\n", |random| format!("quire {} --{}=7\n", random.word(), random.word()), "```\n\n"),
        3 => ("", |random| format!("1. {}\n", random.words(4, 9)), "\n"),
        4 => (
            "| Option | Default | Meaning |\n|---|---|---|\n",
            |random| format!("| `{}` | 7 | {} |\n", random.word(), random.words(3, 6)),
            "\n",
        ),
        _ => return format!("> **{}** {}\n\n", random.pick(&NOUNS), random.sentence()),
    };
    let lines: String = (0..3 + random.below(3)).map(|_| line(random)).collect();
    format!("{start}{lines}{end}")
}

/// A search query of two frequent words.
pub(crate) fn common_query(number: usize) -> String {
    // Without the first ten, which are stop words of English.
    let pick = |offset: usize| WORDS.get(10 + offset % 20).copied().unwrap_or_default();
    format!("{} {}", pick(number), pick(number / 20 + number + 1))
}

/// Words from frequent to rare: the generator prefers the first ones, as natural text does.
#[rustfmt::skip]
const WORDS: [&str; 96] = [
    "the", "server", "with", "to", "of", "and", "a", "in", "is", "for", "request", "configuration", "service", "file",
    "when", "node", "on", "page", "command", "value", "default", "database", "each", "data", "cluster", "user", "that",
    "token", "time", "space", "from", "by", "memory", "one", "connection", "network", "index", "option", "start",
    "number", "folder", "environment", "install", "version", "role", "backup", "member", "change", "log", "read",
    "write", "replica", "address", "certificate", "update", "key", "event", "message", "limit", "storage", "query",
    "table", "deploy", "release", "upgrade", "metric", "alert", "monitor", "container", "volume", "proxy", "balance",
    "timeout", "retry", "queue", "worker", "schedule", "archive", "restore", "migrate", "encrypt", "rotate", "audit",
    "policy", "region", "tenant", "quota", "throttle", "checkpoint", "snapshot", "failover", "quorum", "latency",
    "throughput", "compaction", "tombstone",
];

#[rustfmt::skip]
const VERBS: [&str; 16] = [
    "Configure", "Install", "Monitor", "Migrate", "Back up", "Restore", "Secure", "Scale", "Upgrade", "Deploy", "Audit",
    "Connect", "Schedule", "Encrypt", "Balance", "Observe",
];

#[rustfmt::skip]
const NOUNS: [&str; 16] = [
    "clusters", "replicas", "backups", "certificates", "workers", "queues", "networks", "volumes", "tenants", "proxies",
    "snapshots", "policies", "tokens", "regions", "metrics", "archives",
];

const SYLLABLES: &str = "bacodufegikalomunepirasotuvewizo";

/// SplitMix64: equal seeds give equal pages on every machine and in every version.
struct Random(u64);

impl Random {
    fn new(seed: usize) -> Self {
        Self(u64::try_from(seed).unwrap_or(u64::MAX).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len())).copied().unwrap_or_default()
    }

    /// A word of the vocabulary; frequency falls with its index.
    fn word(&mut self) -> &'static str {
        let bound = self.below(WORDS.len()) + 1;
        WORDS.get(self.below(bound)).copied().unwrap_or_default()
    }

    fn words(&mut self, least: usize, most: usize) -> String {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn sentence(&mut self) -> String {
        let words = self.words(8, 18);
        let mut characters = words.chars();
        let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", characters.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_give_equal_pages_of_the_requested_size() {
        for (bytes, number) in (0..500).map(|number| (4_000, number)).chain([(40_000, 7), (40_000, 19)]) {
            let page = || page(number, bytes, &["other.md".to_owned()]);
            assert!((bytes..bytes + 1_200).contains(&page().len()), "{number}: {}", page().len());
            assert_eq!(page(), page());
        }
    }

    #[test]
    fn rare_words_name_three_pages_each() {
        assert_eq!(rare_word(0), rare_word(2));
        assert_eq!((0..10_000).map(rare_word).collect::<std::collections::BTreeSet<_>>().len(), 3_334);
    }
}
