//! Words that rendering adds to those of a document.

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $english:literal,)*) => {
        /// The words that rendering adds to those of a document, in one language.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Words { $($(#[$doc])* pub $name: &'static str,)* }

        impl Words {
            /// English.
            pub const ENGLISH: Self = Self { $($name: $english,)* };
        }
    };
}

words! {
    /// Label of an information hint.
    info = "Note",
    /// Label of a success hint.
    success = "Tip",
    /// Label of a warning hint.
    warning = "Warning",
    /// Label of a danger hint.
    danger = "Danger",
    /// Label of a checked box.
    done = "Done",
    /// Label of an open box.
    open = "To do",
    /// Label of a table.
    table = "Table",
    /// Label of a set of tabs.
    tabs = "Tabs",
    /// Title of a tab without one.
    tab = "Tab",
    /// Label of the link of a heading to itself.
    link_to = "Link to this section",
    /// Shows all lines of a listing.
    show_all = "Show all lines",
    /// Shows fewer lines of a listing.
    show_less = "Show fewer lines",
    /// Opens an embedded page of a provider, whose name follows.
    show_embed = "Open on",
    /// Words of a link whose target is not there.
    broken = "This link leads nowhere",
    /// Words for a picture that can't be shown.
    image = "Image",
    /// Words for a file that is not there.
    missing_file = "A file that is not there",
    /// Words for reusable content that is not there.
    missing_content = "Content that is not there",
    /// Words at the end of a page that is too long.
    cut = "The rest of this page is too long to be shown.",
    /// Label of a rating, before its number.
    rating = "Rating",
    /// Words between a number and the largest one.
    of = "of",
    /// Value of a checked cell.
    yes = "Yes",
    /// Value of an unchecked cell.
    no = "No",
    /// Label of a prompt.
    prompt = "Prompt",
    /// Shows the text of a prompt.
    show_prompt = "Show the prompt",
    /// Opens a prompt in an assistant.
    open_in = "Open in",
    /// Summary of the source of a diagram.
    diagram = "Diagram",
    /// Label of a block of an integration.
    integration = "Block of the integration",
    /// Label of a column of steps.
    step = "Step",
    /// Mark of what is required.
    required = "required",
    /// Mark of what is deprecated.
    deprecated = "deprecated",
    /// Sentence about a deprecated operation.
    is_deprecated = "This operation is deprecated.",
    /// Title of the authorization of an operation.
    authorization = "Authorization",
    /// Word for an operation without authorization.
    none = "None",
    /// Title of parameters in the path.
    path_parameters = "Path parameters",
    /// Title of parameters in the query.
    query_parameters = "Query parameters",
    /// Title of parameters in headers.
    header_parameters = "Header parameters",
    /// Title of parameters in cookies.
    cookie_parameters = "Cookie parameters",
    /// Title of the body of a request.
    request_body = "Request body",
    /// Title of responses.
    responses = "Responses",
    /// Title of headers of a response.
    headers = "Headers",
    /// Title of an example of a request.
    request = "Request",
    /// Title of an example of a response.
    example = "Example",
    /// Title of the requests that a service makes in turn.
    callbacks = "Callbacks",
    /// Opens the properties of an object.
    properties = "Properties",
    /// Title of models.
    models = "Models",
    /// Words for an operation that can't be shown.
    missing_api = "This part of the specification is not there",
    /// Label of the word that is any of several schemas.
    one_of = "One of",
}

/// English names of months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The date in words, as a block of updates asks for it; the text itself when it is no date.
pub(crate) fn date(text: &str, format: &str) -> String {
    let day = text.get(..10).unwrap_or(text);
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<usize>().ok());
    let (Some(Some(year)), Some(Some(month)), Some(Some(day_of_month))) =
        (parts.next(), parts.next(), parts.next())
    else {
        return text.to_owned();
    };
    let Some(name) = month.checked_sub(1).and_then(|month| MONTHS.get(month)) else {
        return text.to_owned();
    };
    match format {
        "numeric" => day.to_owned(),
        "short" => format!("{} {day_of_month}, {year}", name.get(..3).unwrap_or(name)),
        _ => format!("{name} {day_of_month}, {year}"),
    }
}

/// A number of bytes for people.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if count < 1_000 {
        return format!("{count} B");
    }
    let mut tenths = count / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    let name = UNITS.get(unit).unwrap_or(&"");
    if tenths >= 100 {
        format!("{} {name}", tenths / 10)
    } else {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_sizes_are_words() {
        assert_eq!(date("2026-01-02", "full"), "January 2, 2026");
        assert_eq!(date("2026-12-31T23:59:59Z", "short"), "Dec 31, 2026");
        assert_eq!(date("2026-01-02", "numeric"), "2026-01-02");
        assert_eq!(date("soon", "full"), "soon");
        assert_eq!(date("2026-13-01", "full"), "2026-13-01");
        assert_eq!(
            (bytes(999), bytes(1_500), bytes(15_000)),
            ("999 B".into(), "1.5 kB".into(), "15 kB".into())
        );
        assert_eq!(bytes(2_340_000), "2.3 MB");
    }
}
