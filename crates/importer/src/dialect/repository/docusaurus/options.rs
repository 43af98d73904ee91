//! Options of presets and plugins in `docusaurus.config.js`.

use super::super::js::Value;

/// Documentation of a site; a site may have several.
#[derive(Debug, Clone, Default)]
pub(super) struct Docs {
    /// Folder of the pages, relative to that of the settings.
    pub(super) path: Option<String>,
    /// The first segment of addresses.
    pub(super) route: Option<String>,
    /// The file of the sidebars.
    pub(super) sidebars: Option<String>,
    /// The name in the navigation bar.
    pub(super) label: Option<String>,
}

/// A blog of a site.
#[derive(Debug, Clone)]
pub(super) struct Blog {
    pub(super) path: String,
    pub(super) route: String,
    pub(super) title: String,
}

/// The settings of a site.
pub(super) struct Options<'v> {
    config: Option<&'v Value>,
    /// Options by the names of their plugins.
    plugins: Vec<(&'v str, &'v Value)>,
}

impl<'v> Options<'v> {
    pub(super) fn of(config: Option<&'v Value>) -> Self {
        let mut plugins = Vec::new();
        for key in ["presets", "plugins"] {
            let listed = config.and_then(|config| config.get(key)).map(Value::items).unwrap_or_default();
            for plugin in listed {
                let (name, options) = match plugin {
                    Value::List(parts) => (parts.first().and_then(Value::as_text), parts.get(1)),
                    plugin => (plugin.as_text(), None),
                };
                plugins.extend(name.zip(Some(options.unwrap_or(&Value::Other))));
            }
        }
        Self { config, plugins }
    }

    /// Returns the options for a part of a preset.
    fn preset(&self, part: &str) -> Option<&'v Value> {
        self.plugins.iter().find_map(|(_, options)| options.get(part))
    }

    fn of_plugin(&self, name: &'static str) -> impl Iterator<Item = &'v Value> {
        self.plugins.iter().filter(move |(plugin, _)| plugin.ends_with(name)).map(|(_, options)| *options)
    }

    /// Returns the main documentation.
    pub(super) fn docs(&self) -> Docs {
        let own = self
            .preset("docs")
            .or_else(|| self.of_plugin("content-docs").find(|docs| docs.text("id").is_none()));
        own.map(|docs| self.read(docs)).unwrap_or_default()
    }

    /// Returns further documentation, each with an id of its own.
    pub(super) fn more_docs(&self) -> Vec<Docs> {
        self.of_plugin("content-docs")
            .filter(|docs| docs.text("id").is_some())
            .map(|docs| self.read(docs))
            .collect()
    }

    fn read(&self, docs: &Value) -> Docs {
        let text = |key: &str| docs.text(key).map(str::to_owned);
        let label = text("id").and_then(|id| self.label(&id));
        Docs { path: text("path"), route: text("routeBasePath"), sidebars: text("sidebarPath"), label }
    }

    /// Returns the label in the navigation bar of the documentation with an id.
    fn label(&self, id: &str) -> Option<String> {
        let items = self.config?.get("themeConfig")?.given().get("navbar")?.get("items")?.items();
        let item = items.iter().find(|item| item.text("docsPluginId") == Some(id))?;
        item.text("label").map(str::to_owned)
    }

    pub(super) fn blogs(&self) -> Vec<Blog> {
        let read = |options: Option<&Value>| {
            let text = |key: &str| options.and_then(|options| options.text(key));
            let path = text("path").unwrap_or("blog").to_owned();
            let route = text("routeBasePath").unwrap_or("blog").to_owned();
            let title = text("blogTitle").unwrap_or("Blog").to_owned();
            Blog { path, route, title }
        };
        let own = self.preset("blog");
        let preset = (own != Some(&Value::Flag(false))).then(|| read(own));
        let plugins = self.of_plugin("content-blog").map(|options| read(Some(options)));
        let mut blogs: Vec<Blog> = preset.into_iter().chain(plugins).collect();
        blogs.dedup_by(|one, other| one.path == other.path);
        blogs
    }

    /// Returns the common prefix of all addresses, without surrounding slashes.
    pub(super) fn base_url(&self) -> String {
        let address = self.config.and_then(|config| config.text("baseUrl")).unwrap_or_default();
        address.trim_matches('/').to_owned()
    }
}
