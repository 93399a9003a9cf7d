//! What is on screen, as the part of the address after the hash.
//!
//! `#/deployments.apps?namespace=shop&filter=web&sort=-Age&columns=Name,Age`. A proxy serves files and nothing else, so a
//! path could not be loaded again; a hash can. Guarantees: every route reads back from its own hash, and what makes no
//! sense is left out.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use porthole_client_core::{
    meta::{GroupResource, Namespace},
    view::SortOrder,
};

const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':');
/// In front of the pages that are no resource: no resource's name holds a stroke.
const OWN: &str = "-/";
/// A column without a heading; some servers have them.
const NAMELESS: &str = ".";

/// A page of Porthole's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnPage {
    /// What a person sets, and what is stored.
    Settings,
    /// What is alive in the core, and what it costs the API.
    Activity,
}

impl OwnPage {
    /// All of them.
    pub(crate) const ALL: [Self; 2] = [Self::Settings, Self::Activity];

    /// Its name in an address.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Activity => "activity",
        }
    }
}

/// A column that is to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnChoice {
    /// Its heading.
    pub(crate) name: String,
    /// The `JSONPath` of what it shows, where it is no column of the server.
    pub(crate) path: Option<String>,
    /// Its width in pixels, where a person has chosen one.
    pub(crate) width: Option<u16>,
}

/// What is on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    /// A page of our own in the place of a table.
    pub(crate) page: Option<OwnPage>,
    /// The resource; `None` for the first page.
    pub(crate) resource: Option<GroupResource>,
    /// The version of the resource; `None` for the one the server prefers.
    pub(crate) version: Option<String>,
    /// The namespaces; none for all.
    pub(crate) namespaces: Vec<Namespace>,
    /// What is looked for.
    pub(crate) filter: String,
    /// The columns the table is sorted by, the first first.
    pub(crate) sort: Vec<SortOrder>,
    /// The columns in order; `None` for the server's.
    pub(crate) columns: Option<Vec<ColumnChoice>>,
    /// Whether the columns for wide output are shown too, where nobody chose columns.
    pub(crate) wide: bool,
}

impl Route {
    /// Reads the hash of an address. What it does not know it leaves out.
    pub(crate) fn parse(hash: &str) -> Self {
        let text = hash.trim_start_matches('#').trim_start_matches('/');
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let mut route = Self::default();
        if let Some(name) = path.strip_prefix(OWN) {
            route.page = OwnPage::ALL.into_iter().find(|page| page.name() == name);
        } else {
            route.resource = some(&decode(path)).map(|path| GroupResource::from(path.as_str()));
        }
        for pair in query.split('&') {
            let (name, raw) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decode(raw);
            match name {
                "version" => route.version = some(&value),
                "namespace" if !value.is_empty() => {
                    let namespace = Namespace::from(value);
                    if !route.namespaces.contains(&namespace) {
                        route.namespaces.push(namespace);
                    }
                }
                "filter" => route.filter = value,
                "sort" => route.sort.extend(parse_sort(&value)),
                "columns" => route.columns = parse_columns(raw),
                "wide" => route.wide = true,
                _ => {}
            }
        }
        route
    }

    /// The hash that reads as this.
    pub(crate) fn hash(&self) -> String {
        let mut hash = String::from("#/");
        if let Some(page) = self.page {
            hash.extend([OWN, page.name()]);
        } else if let Some(resource) = &self.resource {
            hash.push_str(&encode(&resource.to_string()));
        }
        let mut separator = '?';
        let mut add = |name: &str, value: &str| {
            hash.push(separator);
            separator = '&';
            hash.push_str(name);
            if !value.is_empty() {
                hash.extend(["=", value]);
            }
        };
        if let Some(version) = &self.version {
            add("version", &encode(version));
        }
        for namespace in &self.namespaces {
            add("namespace", &encode(namespace.as_str()));
        }
        if !self.filter.is_empty() {
            add("filter", &encode(&self.filter));
        }
        for sort in &self.sort {
            add("sort", &encode(&sort_text(sort)));
        }
        if let Some(columns) = &self.columns {
            add("columns", &columns_text(columns));
        }
        if self.wide {
            add("wide", "");
        }
        hash
    }
}

/// Columns as they stand in an address, and as they are stored.
pub(crate) fn columns_text(columns: &[ColumnChoice]) -> String {
    columns.iter().map(ColumnChoice::text).collect::<Vec<_>>().join(",")
}

/// The columns in such a text; `None` where it has none.
pub(crate) fn parse_columns(text: &str) -> Option<Vec<ColumnChoice>> {
    let columns: Vec<_> = text.split(',').filter_map(ColumnChoice::parse).collect();
    (!columns.is_empty()).then_some(columns)
}

/// `Age` upwards, `-Age` downwards; a heading that begins with a sign has a `+` before it.
fn parse_sort(text: &str) -> Option<SortOrder> {
    let (column, descending) = match text.split_at_checked(1) {
        Some(("-", column)) => (column, true),
        Some(("+", column)) => (column, false),
        _ => (text, false),
    };
    (!column.is_empty()).then(|| SortOrder { column: column.to_owned(), descending })
}

fn sort_text(sort: &SortOrder) -> String {
    let sign = match (sort.descending, sort.column.starts_with(['-', '+'])) {
        (true, _) => "-",
        (false, true) => "+",
        (false, false) => "",
    };
    format!("{sign}{}", sort.column)
}

impl ColumnChoice {
    /// `Name`, `Name*300` with a width, `Image=.spec.image` with a path; each part is encoded on its own.
    fn parse(text: &str) -> Option<Self> {
        // A path that somebody wrote by hand may hold the sign as well.
        let width = text.rsplit_once('*').and_then(|(text, width)| Some((text, width.parse().ok()?)));
        let (text, width) = width.map_or((text, None), |(text, width)| (text, Some(width)));
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name, some(&decode(path))),
            None => (text, None),
        };
        let name = if name == NAMELESS { String::new() } else { decode(name) };
        (!text.is_empty()).then_some(Self { name, path, width })
    }

    fn text(&self) -> String {
        let mut text = match self.name.as_str() {
            "" => NAMELESS.to_owned(),
            NAMELESS => "%2E".to_owned(),
            name => encode(name),
        };
        if let Some(path) = &self.path {
            text.extend(["=", &encode(path)]);
        }
        if let Some(width) = self.width {
            text.extend(["*", &width.to_string()]);
        }
        text
    }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, VALUE).to_string()
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_survives_its_own_hash() {
        let awkward = "a=b & c?#%ü/🦀,*+-~";
        let sort = |column: &str, descending| SortOrder { column: column.into(), descending };
        for route in [
            Route::default(),
            Route { page: Some(OwnPage::Settings), ..Route::default() },
            Route { page: Some(OwnPage::Activity), ..Route::default() },
            Route { resource: Some("pods".into()), ..Route::default() },
            Route {
                page: None,
                resource: Some("triggers.eventing.example.io".into()),
                version: Some("v1alpha1".into()),
                namespaces: vec!["shop".into(), "payments".into()],
                filter: awkward.into(),
                sort: vec![sort("Last Seen", true), sort("-odd", false), sort("+odd", true), sort(awkward, false)],
                columns: Some(vec![
                    ColumnChoice { name: awkward.into(), path: Some(awkward.into()), width: Some(300) },
                    ColumnChoice { name: "Age".into(), path: None, width: None },
                    ColumnChoice { name: "Node".into(), path: None, width: Some(80) },
                    ColumnChoice::default(),
                    ColumnChoice { name: ".".into(), path: None, width: None },
                ]),
                wide: true,
            },
        ] {
            assert_eq!(Route::parse(&route.hash()), route, "{}", route.hash());
        }
    }

    #[test]
    fn a_hash_that_makes_no_sense_is_read_as_far_as_it_does() {
        for hash in [
            "",
            "#",
            "#/",
            "#//",
            "#/?",
            "#/?&&=",
            "#/%ff?filter=%",
            "#/-/",
            "#/-/nothing?sort=-&columns=,*,=",
            "#/pods?columns=a*x*9",
        ] {
            let route = Route::parse(hash);
            assert_eq!(Route::parse(&route.hash()), route, "{hash}");
        }
        let by_hand = Route::parse("#/pods?columns=Image=.spec.containers[*].image*90,Name*x").columns.unwrap();
        assert_eq!((by_hand[0].path.as_deref(), by_hand[0].width), (Some(".spec.containers[*].image"), Some(90)));
        assert_eq!((by_hand[1].name.as_str(), by_hand[1].width), ("Name*x", None));
        let route = Route::parse("#/pods?unknown=1&namespace=&namespace=a&namespace=a&sort=-");
        assert_eq!(route, Route { resource: Some("pods".into()), namespaces: vec!["a".into()], ..Route::default() });
    }
}
