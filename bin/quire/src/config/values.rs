//! Types of option values.

use std::net::SocketAddr;
use std::str::FromStr;

use log::LevelFilter;

/// Values separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommaSeparated<T>(pub Vec<T>);

pub fn words<T: FromStr<Err: std::fmt::Display>>(text: &str) -> Result<CommaSeparated<T>, String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| word.parse().map_err(|error: T::Err| error.to_string()))
        .collect::<Result<_, _>>()
        .map(CommaSeparated)
}

pub fn log_levels(text: &str) -> Result<String, String> {
    let level = |part: &str| part.rsplit('=').next().unwrap_or(part).trim().parse::<LevelFilter>();
    match text.split(',').find(|part| level(part).is_err()) {
        None => Ok(text.to_owned()),
        Some(part) => Err(format!("`{part}` has no level: error, warn, info, debug, trace or off")),
    }
}

pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "it must be an address and a port, such as 127.0.0.1:8080".to_owned())
}

pub fn bytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bytes @ 1..) => Ok(bytes),
        _ => Err("it must be a number of bytes, such as 4194304".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_separated_by_commas_and_may_be_empty() {
        assert_eq!(words::<u8>(" 1, 2,"), Ok(CommaSeparated(vec![1, 2])));
        assert_eq!(words::<u8>(""), Ok(CommaSeparated(vec![])));
        assert!(words::<u8>("1,x").is_err());
    }

    #[test]
    fn log_levels_are_checked_and_addresses_and_sizes_too() {
        assert!(log_levels("info,quire_importer=debug").is_ok());
        assert!(log_levels("loud").unwrap_err().contains("`loud`"));
        assert!(address("localhost").is_err() && address("[::1]:0").is_ok());
        assert!(bytes("0").is_err() && bytes("4 MiB").is_err() && bytes("1").is_ok());
    }
}
