//! Themes of code blocks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire_enum;
use crate::object_only;

wire_enum! {
    /// Theme of code blocks.
    CodeTheme {
        DefaultLight = "default-light", DefaultDark = "default-dark", MonochromeLight = "monochrome-light",
        MonochromeDark = "monochrome-dark", Andromeeda = "andromeeda", AuroraX = "aurora-x",
        AyuDark = "ayu-dark", CatppuccinFrappe = "catppuccin-frappe", CatppuccinLatte = "catppuccin-latte",
        CatppuccinMacchiato = "catppuccin-macchiato", CatppuccinMocha = "catppuccin-mocha",
        DarkPlus = "dark-plus", Dracula = "dracula", DraculaSoft = "dracula-soft",
        EverforestDark = "everforest-dark", EverforestLight = "everforest-light",
        GithubDark = "github-dark", GithubDarkDefault = "github-dark-default",
        GithubDarkDimmed = "github-dark-dimmed", GithubDarkHighContrast = "github-dark-high-contrast",
        GithubLight = "github-light", GithubLightDefault = "github-light-default",
        GithubLightHighContrast = "github-light-high-contrast", GruvboxDarkHard = "gruvbox-dark-hard",
        GruvboxDarkMedium = "gruvbox-dark-medium", GruvboxDarkSoft = "gruvbox-dark-soft",
        GruvboxLightHard = "gruvbox-light-hard", GruvboxLightMedium = "gruvbox-light-medium",
        GruvboxLightSoft = "gruvbox-light-soft", Houston = "houston", KanagawaDragon = "kanagawa-dragon",
        KanagawaLotus = "kanagawa-lotus", KanagawaWave = "kanagawa-wave", Laserwave = "laserwave",
        LightPlus = "light-plus", MaterialTheme = "material-theme",
        MaterialThemeDarker = "material-theme-darker", MaterialThemeLighter = "material-theme-lighter",
        MaterialThemeOcean = "material-theme-ocean", MaterialThemePalenight = "material-theme-palenight",
        MinDark = "min-dark", MinLight = "min-light", Monokai = "monokai", NightOwl = "night-owl",
        Nord = "nord", OneDarkPro = "one-dark-pro", OneLight = "one-light", Plastic = "plastic",
        Poimandres = "poimandres", Red = "red", RosePine = "rose-pine", RosePineDawn = "rose-pine-dawn",
        RosePineMoon = "rose-pine-moon", SlackDark = "slack-dark", SlackOchin = "slack-ochin",
        SnazzyLight = "snazzy-light", SolarizedDark = "solarized-dark", SolarizedLight = "solarized-light",
        Synthwave84 = "synthwave-84", TokyoNight = "tokyo-night", Vesper = "vesper",
        VitesseBlack = "vitesse-black", VitesseDark = "vitesse-dark", VitesseLight = "vitesse-light",
    }
}

/// Themes of code blocks and of API references.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CustomizationCodeTheme {
    /// Themes of code blocks.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub default: ThemedCodeTheme,
    /// Themes of the code in API references.
    #[serde(deserialize_with = "object_only::object")]
    #[schema(required = false)]
    pub openapi: ThemedCodeTheme,
}

/// Themes for the light and the dark mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ThemedCodeTheme {
    /// Theme in the light mode.
    pub light: CodeTheme,
    /// Theme in the dark mode.
    pub dark: CodeTheme,
}

impl Default for ThemedCodeTheme {
    fn default() -> Self {
        Self { light: CodeTheme::DefaultLight, dark: CodeTheme::DefaultDark }
    }
}
